export interface Tab<Name extends string> {
  readonly name: Name;
  readonly text: string;
  /** Seen beside the others where there is room: no tab then. */
  readonly onlyNarrow?: boolean;
}

interface Props<Name extends string> {
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

export function Tabs<Name extends string>({ tabs, chosen, onChoose }: Props<Name>) {
  return (
    <div class="tabs" role="tablist">
      {tabs.map(({ name, text, onlyNarrow }) => (
        <button
          type="button"
          role="tab"
          key={name}
          class={onlyNarrow ? 'tab only-narrow' : 'tab'}
          aria-selected={chosen === name}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export const isNarrow = (): boolean => matchMedia('(max-width: 860px)').matches;
