/** Light or dark: the system's choice, until a person makes one. */
export type Theme = 'light' | 'dark';
const KEY = 'pawl.theme';

const kept = (): string | null => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};

export const themeNow = (): Theme => {
  const choice = document.documentElement.dataset.theme ?? kept();
  if (choice === 'light' || choice === 'dark') return choice;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

export function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  showTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Where nothing can be kept, the choice holds until the page is left.
  }
}
