/** The conversation as of one frame. */
import type { Film } from '../film/film.ts';
import { CopyButton } from '../parts/copy.tsx';
import { counted } from '../parts/format.ts';
import { EntryView } from './entry.tsx';
import { Virtual } from './virtual.tsx';

interface Props {
  readonly film: Film;
  readonly index: number;
  readonly onShow: (index: number) => void;
}

export function Transcript({ film, index, onShow }: Props) {
  const { all } = film.entries;
  const count = film.entries.countAt(index);
  const records = () => film.frames.slice(0, index + 1).flatMap(({ record }) => record ?? []);
  return (
    <section class="transcript" aria-label="Transcript">
      <header class="panel-head">
        <span class="muted">{counted(count, 'entry', 'entries')}</span>
        <span class="grow" />
        <CopyButton
          label="Copy all records up to here as JSON"
          text={() => JSON.stringify(records(), null, 2)}
        >
          Copy JSON
        </CopyButton>
      </header>
      <Virtual
        count={count}
        label="Entries"
        item={(place) => {
          const entry = all[place];
          return entry && <EntryView entry={entry} index={index} onShow={onShow} />;
        }}
      />
    </section>
  );
}
