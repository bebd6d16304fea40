/** All runs, newest first, with a search; two of them can be compared. */
import { useEffect, useState } from 'preact/hooks';
import type { RunEntry } from '../../src/inspector/protocol.ts';
import { comparePath, runPath } from '../app/router.ts';
import { TopBar } from '../app/top-bar.tsx';
import { listRuns } from '../feed/api.ts';
import { addStyle } from '../parts/add-style.ts';
import { counted, day, short, usd } from '../parts/format.ts';
import { toneOf } from '../parts/state-tone.ts';
import style from '../style/runs.css?inline';

addStyle(style);

const AGAIN_MS = 3_000;
/** More rows than anybody reads would only make the page slow. */
const MOST_ROWS = 200;

export function RunList() {
  const [runs, setRuns] = useState<readonly RunEntry[] | null | undefined>(undefined);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  useEffect(() => {
    document.title = 'Runs · pawl';
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const found = await listRuns();
      if (isLeft) return;
      setRuns((before) => found ?? before ?? null);
      // Where there is no server, nothing will come of asking again.
      if (found !== null) timer = setTimeout(ask, AGAIN_MS);
    };
    void ask();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, []);
  useEffect(() => {
    if (runs === null) location.replace('#/demo');
  }, [runs]);

  const found = (runs ?? []).filter((run) => fits(run, search));
  const toggle = (runId: string) =>
    setChosen(chosen.includes(runId) ? chosen.filter((one) => one !== runId) : [...chosen, runId].slice(-2));
  const [left, right] = chosen;
  return (
    <div class="page">
      <TopBar />
      <main class="runs">
        <header class="runs-head">
          <h1>Runs</h1>
          <span class="muted">{runs && counted(found.length, 'run')}</span>
          <span class="grow" />
          {right === undefined && found.length > 1 && (
            <span class="muted">Choose {left === undefined ? 'two' : 'one more'} to compare</span>
          )}
          {left !== undefined && right !== undefined && (
            <a class="button button-main" href={comparePath(left, right)}>
              Compare the two
            </a>
          )}
          <input
            type="search"
            class="search"
            placeholder="Search task, id or status"
            aria-label="Search runs"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </header>
        {runs?.length === 0 && (
          <div class="empty">
            <h2>No run yet</h2>
            <p>
              Start one: <code>pawl run --inspect "what does this code do?"</code>
            </p>
            <p>
              Or see in the <a href="#/demo">demo</a> how the machine decides.
            </p>
          </div>
        )}
        {runs && runs.length > 0 && found.length === 0 && <p class="empty">No run fits “{search}”.</p>}
        <ul class="run-rows">
          {found.slice(0, MOST_ROWS).map((run) => (
            <RunRow
              key={run.runId}
              run={run}
              isChosen={chosen.includes(run.runId)}
              onChoose={() => toggle(run.runId)}
            />
          ))}
        </ul>
        {found.length > MOST_ROWS && (
          <p class="empty">{counted(found.length - MOST_ROWS, 'more run')}: search for them.</p>
        )}
      </main>
    </div>
  );
}

function RunRow({
  run,
  isChosen,
  onChoose,
}: {
  readonly run: RunEntry;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { runId, task, startedAt, status, isLive, isWaiting, turns, tokens, costUsd, problem } = run;
  const open = !isLive ? 'interrupted' : isWaiting ? 'waiting' : 'running';
  const word = status ?? (problem !== null ? 'damaged' : open);
  return (
    <li class="run-row">
      <input type="checkbox" checked={isChosen} aria-label={`Compare ${runId}`} onChange={onChoose} />
      <a href={runPath(runId)}>
        <span class={`pill-state${isLive ? ' live' : ''}`} style={{ '--tone': `var(${toneOf(word)})` }}>
          <i />
          {word}
        </span>
        <span class="run-task">
          <b>{problem ?? task}</b>
          <code>{runId}</code>
        </span>
        <span class="run-figure">{counted(turns, 'turn')}</span>
        <span class="run-figure">{short(tokens)} tokens</span>
        <span class="run-figure" title={costUsd > 0 ? '' : 'no price known'}>
          {costUsd > 0 ? usd(costUsd) : '–'}
        </span>
        <time class="run-when" dateTime={startedAt}>
          {day(startedAt)}
        </time>
      </a>
    </li>
  );
}

/** Every word must be somewhere. */
function fits({ runId, task, status }: RunEntry, search: string): boolean {
  const text = `${runId} ${task} ${status ?? ''}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
