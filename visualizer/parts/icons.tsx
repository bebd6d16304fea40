/** Pictures on buttons, drawn in a square of 16. */
const PATHS = {
  play: 'M5 3.2v9.6l7.5-4.8z',
  pause: 'M4.5 3h2.4v10H4.5zM9.1 3h2.4v10H9.1z',
  step: 'M3.5 3.2v9.6L10 8zM11 3h1.8v10H11z',
  back: 'M12.5 3.2v9.6L6 8zM3.2 3H5v10H3.2z',
  stop: 'M4 4h8v8H4z',
  first: 'M12.5 3.2v9.6L7 8zM7.5 3.2v9.6L2 8z',
  last: 'M3.5 3.2v9.6L9 8zM8.5 3.2v9.6L14 8z',
  plus: 'M7.2 3h1.6v4.2H13v1.6H8.8V13H7.2V8.8H3V7.2h4.2z',
  minus: 'M3 7.2h10v1.6H3z',
  fit: 'M2 2h4v1.5H3.5V6H2zM10 2h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zM12.5 10H14v4h-4v-1.5h2.5z',
  target: 'M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M8 4.2a3.8 3.8 0 1 0 .01 0M8 7a1 1 0 1 0 .01 0',
  sun: 'M8 5a3 3 0 1 0 .01 0M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8L13 13M3 13l1.2-1.2M11.8 4.2L13 3',
  moon: 'M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5z',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  save: 'M8 2v7.5M4.8 6.6L8 9.8l3.2-3.2M3 13h10',
  close: 'M4 4l8 8M12 4l-8 8',
} as const;

export type IconName = keyof typeof PATHS;
const DRAWN_AS_LINES: ReadonlySet<IconName> = new Set(['target', 'sun', 'moon', 'copy', 'save', 'close']);

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={DRAWN_AS_LINES.has(name) ? 'icon icon-line' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
