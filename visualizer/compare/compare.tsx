/** Two runs side by side, record by record, up to where they part and beyond. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { totalTokens } from '../../machines/reply.ts';
import { compareRuns, type Difference } from '../../src/journal/compare.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { runPath } from '../app/router.ts';
import { StatePill } from '../app/run-state.tsx';
import { TopBar } from '../app/top-bar.tsx';
import { follow } from '../feed/follow.ts';
import { RunStore } from '../feed/run-store.ts';
import { gistOf } from '../film/gist.ts';
import { addStyle } from '../parts/add-style.ts';
import { counted, short, usd } from '../parts/format.ts';
import { useStore } from '../parts/hooks.ts';
import style from '../style/compare.css?inline';
import { Folded } from '../transcript/folded.tsx';

addStyle(style);

/** Equal records before the first difference that are shown; the others are folded. */
const BEFORE = 3;
/** Records that are shown at first behind it. */
const BEHIND = 60;

export function Compare({ left, right }: { readonly left: string; readonly right: string }) {
  const [one, other] = useMemo(() => [new RunStore(), new RunStore()] as const, [left, right]);
  useStore(one);
  useStore(other);
  useEffect(() => {
    document.title = 'Compare · pawl';
    const ends = [follow(one, left), follow(other, right)];
    return () => {
      for (const end of ends) end();
    };
  }, [one, other]);
  const [leftRecords, rightRecords] = [recordsOf(one), recordsOf(other)];
  const isRead = one.connection.is !== 'loading' && other.connection.is !== 'loading';
  const found = useMemo(
    () => compareRuns(leftRecords, rightRecords),
    [leftRecords.length, rightRecords.length],
  );
  return (
    <div class="page">
      <TopBar />
      <main class="compare">
        <h1 class="unseen">Two runs compared</h1>
        <header class="compare-heads">
          <Head store={one} runId={left} />
          <Head store={other} runId={right} />
        </header>
        {isRead && (
          <>
            <p class={`verdict verdict-${found.outcome}`} role="status">
              {verdictText(found.equal, found.outcome)}
            </p>
            {found.outcome === 'differ' && <Differences all={found.differences} />}
            <Rows left={leftRecords} right={rightRecords} equal={found.equal} />
          </>
        )}
      </main>
    </div>
  );
}

const recordsOf = ({ film }: RunStore): JournalRecord[] => film.frames.flatMap(({ record }) => record ?? []);

function verdictText(equal: number, outcome: 'same' | 'prefix' | 'differ'): string {
  if (outcome === 'same') return `The runs are the same: ${counted(equal, 'record')}.`;
  if (outcome === 'prefix')
    return `One run is the beginning of the other: ${counted(equal, 'record')} are the same.`;
  return equal === 0
    ? 'The runs differ from their first record on.'
    : `${counted(equal, 'record')} are the same; they part at #${equal}.`;
}

function Head({ store, runId }: { readonly store: RunStore; readonly runId: string }) {
  const { last } = store.film;
  const header = store.film.frames[0]?.record;
  return (
    <div class="compare-head">
      <StatePill state={last?.run ?? ''} isLive={false} />
      <a href={runPath(runId)}>
        <b>{header?.type === 'run.started' ? header.task : runId}</b>
        <code>{runId}</code>
      </a>
      {last && (
        <span class="muted">
          {counted(last.context.counters.turns, 'turn')} · {short(totalTokens(last.context.usage))} tokens
          {last.context.costUsd > 0 && ` · ${usd(last.context.costUsd)}`}
        </span>
      )}
    </div>
  );
}

const written = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

const Differences = ({ all }: { readonly all: readonly Difference[] }) => (
  <table class="differences">
    <tbody>
      {all.slice(0, 40).map(({ path, left, right }) => (
        <tr key={path}>
          <th scope="row">
            <code>{path}</code>
          </th>
          <td>
            <Folded text={written(left)} />
          </td>
          <td>
            <Folded text={written(right)} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function Rows({
  left,
  right,
  equal,
}: {
  readonly left: readonly JournalRecord[];
  readonly right: readonly JournalRecord[];
  readonly equal: number;
}) {
  const [isWhole, setWhole] = useState(false);
  const all = Math.max(left.length, right.length);
  const [from, to] = [
    isWhole ? Math.max(0, equal - 500) : Math.max(0, equal - BEFORE),
    Math.min(all, equal + (isWhole ? 500 : BEHIND)),
  ];
  return (
    <>
      <ol class="compare-rows">
        {Array.from({ length: to - from }, (_, offset) => {
          const place = from + offset;
          const is = place < equal ? 'equal' : place === equal ? 'parting' : 'behind';
          return (
            <li key={place} class={`compare-row is-${is}`} data-place={place}>
              <Cell record={left[place]} />
              <Cell record={right[place]} />
            </li>
          );
        })}
      </ol>
      {(from > 0 || to < all) && !isWhole && (
        <button type="button" class="unfold" onClick={() => setWhole(true)}>
          Show more of the {counted(all, 'record')}
        </button>
      )}
    </>
  );
}

const Cell = ({ record }: { readonly record: JournalRecord | undefined }) =>
  record === undefined ? (
    <span class="compare-cell none">–</span>
  ) : (
    <span class="compare-cell">
      <span class="muted">#{record.seq}</span> <code>{record.type}</code>{' '}
      <span class="gist">{gistOf(record).slice(0, 160)}</span>
    </span>
  );
