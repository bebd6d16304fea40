import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface Props {
  readonly label: string;
  readonly icon?: IconName;
  readonly children?: ComponentChildren;
  readonly onClick: () => void;
  /** Why it cannot be used; it is shown, and read out. */
  readonly disabled?: string | false;
  readonly pressed?: boolean;
  readonly tone?: 'plain' | 'main' | 'bad';
}

/** A button with a picture, a word, or both; whoever says the word finds it in its name. One that cannot be used stays reachable, so that its reason can be read. */
export function Button({ label, icon, children, onClick, disabled = false, pressed, tone = 'plain' }: Props) {
  return (
    <button
      type="button"
      class={`button button-${tone}${children === undefined ? ' button-icon' : ''}`}
      aria-label={typeof children === 'string' && !label.includes(children) ? `${children}: ${label}` : label}
      title={disabled || label}
      aria-disabled={disabled !== false}
      aria-pressed={pressed}
      onClick={() => disabled === false && onClick()}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
