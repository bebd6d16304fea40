import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { exported } from './exported.ts';
import { chooseTheme, themeNow } from './theme.ts';

/** A wheel and the tooth that lets it turn one way only. */
const Mark = () => (
  <svg class="mark-logo" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 4.5l2.2 1.1 2.4-.4.9 2.3 2.1 1.2-.5 2.4 1.1 2.2-1.8 1.6-.4 2.4-2.5.3-1.6 1.9L12 18.6l-2.3 1-1.6-2-2.5-.3-.3-2.4-1.8-1.7 1.1-2.1-.5-2.4 2.1-1.2 1-2.3 2.4.4z" />
    <circle cx="12" cy="12" r="2.6" />
  </svg>
);

export function TopBar({ children }: { readonly children?: ComponentChildren }) {
  const [theme, setTheme] = useState(themeNow);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <header class="top">
      {exported ? (
        <span class="home">
          <Mark />
          <b>pawl</b>
        </span>
      ) : (
        <a class="home" href="#/runs" aria-label="pawl: all runs">
          <Mark />
          <b>pawl</b>
        </a>
      )}
      {children}
      <span class="grow" />
      {!exported && (
        <nav class="top-links" aria-label="Pages">
          <a href="#/runs">Runs</a>
          <a href="#/demo">Demo</a>
        </nav>
      )}
      <Button
        label={`Show it ${other}`}
        icon={theme === 'dark' ? 'sun' : 'moon'}
        onClick={() => {
          chooseTheme(other);
          setTheme(other);
        }}
      />
    </header>
  );
}
