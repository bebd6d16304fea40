/** One run: chart, transcript, figures and control, all as of the record that the timeline is at. */
import { useEffect, useState } from 'preact/hooks';
import type { Command } from '../../src/inspector/protocol.ts';
import { Chart } from '../chart/chart.tsx';
import { loadExport } from '../chart/export-buttons.tsx';
import type { Selection } from '../chart/selection.ts';
import { ControlBar, isSteered, loadApprovals } from '../control/control-bar.tsx';
import { sendCommand } from '../feed/api.ts';
import type { RunStore } from '../feed/run-store.ts';
import { stateIds } from '../film/machine.ts';
import { GaugeStrip } from '../gauges/gauges.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { useStore } from '../parts/hooks.ts';
import { Later } from '../parts/later.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { usePlayback, usePlaybackKeys } from '../timeline/use-playback.ts';
import { Transcript } from '../transcript/transcript.tsx';
import { ConnectionView, StatePill } from './run-state.tsx';
import { isNarrow, Tabs } from './tabs.tsx';
import { TopBar } from './top-bar.tsx';

const TABS = [
  { name: 'chart', text: 'Chart', onlyNarrow: true },
  { name: 'transcript', text: 'Transcript' },
  { name: 'details', text: 'Details' },
  { name: 'figures', text: 'Figures' },
] as const;
type TabName = (typeof TABS)[number]['name'];
const loadDetails = () => import('../chart/details.tsx').then((all) => all.Details);
const loadFigures = () => import('../gauges/figures.tsx').then((all) => all.Figures);

export function RunView({ store, runId }: { readonly store: RunStore; readonly runId: string }) {
  useStore(store);
  const { film, control, connection } = store;
  const playback = usePlayback(film.frames.length);
  usePlaybackKeys(playback);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [refusal, setRefusal] = useState('');
  const [tab, setTab] = useState<TabName>(isNarrow() ? 'chart' : 'transcript');
  const { index, isLive, show } = playback;
  const frame = film.frames[index];
  const ahead = isLive ? store.ahead : null;
  const run = ahead ?? frame?.run ?? '';
  // The task around the loop has no place in the chart.
  const state = ahead !== null && stateIds.has(ahead) ? ahead : (frame?.state ?? '');
  const counts = film.countsAt(index);
  const isEnded = film.last?.isOver ?? false;
  const isSteerable = isSteered(control) && !isEnded;
  const isGrowing = !isEnded && store.isHeld && ['live', 'loading', 'waiting'].includes(connection.is);
  const held = new Set(control?.breakpoints ?? []);
  const header = film.frames[0]?.record;
  const title = header?.type === 'run.started' ? header.task : '';

  useEffect(() => {
    document.title = title === '' ? 'pawl' : `${title.slice(0, 60)} · pawl`;
  }, [title]);

  // Once the run is seen: by the time that they are wanted, the server may have ended.
  const isSeen = connection.is !== 'loading';
  useEffect(() => {
    if (isSeen) void Promise.allSettled([loadApprovals(), loadDetails(), loadFigures(), loadExport()]);
  }, [isSeen]);

  const select = (found: Selection | null) => {
    setSelection(found);
    if (found && !isNarrow()) setTab('details');
  };
  const send = (command: Command) => {
    setRefusal('');
    sendCommand(runId, command).catch((error: Error) => setRefusal(error.message));
  };
  const breaks = isSteerable
    ? { held, toggle: (at: string) => send({ command: held.has(at) ? 'unbreak' : 'break', at }) }
    : undefined;
  const figures = { film, index, isRunning: isSteerable && isLive };

  if (connection.is === 'missing') return <MissingRun runId={runId} />;
  return (
    <div class="page run" data-tab={tab}>
      <TopBar>
        <StatePill state={run} isLive={isLive && isGrowing} />
        <h1 class="task" title={title}>
          {title || runId}
        </h1>
        <ConnectionView connection={connection} rest={isEnded ? 'Run is over' : restOf(store)} />
      </TopBar>
      {film.problem && (
        <p class="banner" role="alert">
          The states behind some record are not known: {film.problem}
        </p>
      )}
      <main class="stage">
        <Chart
          frame={frame}
          state={state}
          counts={counts}
          held={held}
          selection={selection}
          onSelect={select}
        />
        <aside class="side">
          <ControlBar store={store} runId={runId} isEnded={isEnded} refusal={refusal} onCommand={send} />
          <GaugeStrip {...figures} />
          <Tabs tabs={TABS} chosen={tab} onChoose={setTab} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <div class="panel" tabIndex={0} data-scrolls>
            {tab === 'details' && (
              <Later
                load={loadDetails}
                selection={selection}
                frames={film.frames}
                index={index}
                counts={counts}
                breaks={breaks}
              />
            )}
            {tab === 'figures' && <Later load={loadFigures} {...figures} onShow={show} />}
            {(tab === 'transcript' || tab === 'chart') && (
              <Transcript film={film} index={index} onShow={show} />
            )}
          </div>
        </aside>
      </main>
      <Timeline film={film} playback={playback} isGrowing={isGrowing}>
        {frame?.record && runId !== '' && (
          <CopyButton
            label="Copy the command that forks the run at this record"
            text={() => `pawl fork ${runId} --at ${frame.record?.seq}`}
          >
            Fork command
          </CopyButton>
        )}
      </Timeline>
      <p class="unseen" role="status">
        {isLive ? `The run is in ${run.split('.')[0]}` : ''}
      </p>
    </div>
  );
}

function restOf({ isHeld, waiting }: RunStore): string | false {
  if (isHeld) return false;
  return waiting ? 'Waits, no process runs it' : 'No process runs it';
}

const MissingRun = ({ runId }: { readonly runId: string }) => (
  <div class="page" data-connection="missing">
    <TopBar />
    <main class="empty">
      <h1>There is no such run</h1>
      <p>
        Nobody here knows a run <code>{runId}</code>. Its journal may have been deleted.
      </p>
      <a class="button" href="#/runs">
        All runs
      </a>
    </main>
  </div>
);
