/** The scenario player: the machine, its source, and a world that one chooses. */
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { StatePill } from '../app/run-state.tsx';
import { isNarrow, Tabs } from '../app/tabs.tsx';
import { TopBar } from '../app/top-bar.tsx';
import { Chart } from '../chart/chart.tsx';
import { Details } from '../chart/details.tsx';
import type { Selection } from '../chart/selection.ts';
import { Figures } from '../gauges/figures.tsx';
import { GaugeStrip } from '../gauges/gauges.tsx';
import { addStyle } from '../parts/add-style.ts';
import style from '../style/demo.css?inline';
import { Timeline } from '../timeline/timeline.tsx';
import { usePlayback, usePlaybackKeys } from '../timeline/use-playback.ts';
import { Transcript } from '../transcript/transcript.tsx';
import { Player } from './player.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { ScriptEditor } from './script-editor.tsx';
import { SourceView } from './source-view.tsx';
import { World } from './world.tsx';

addStyle(style);

const TABS = [
  { name: 'chart', text: 'Chart', onlyNarrow: true },
  { name: 'source', text: 'Source' },
  { name: 'transcript', text: 'Transcript' },
  { name: 'details', text: 'Details' },
  { name: 'script', text: 'Script' },
  { name: 'figures', text: 'Figures' },
] as const;
type TabName = (typeof TABS)[number]['name'];

const STEP_MS = 700;
const NOTHING_HELD: ReadonlySet<string> = new Set();

export function Demo() {
  const [scenario, setScenario] = useState<Scenario>(SCENARIOS[0] as Scenario);
  const [round, again] = useReducer((count: number) => count + 1, 0);
  const player = useMemo(() => new Player(scenario), [scenario, round]);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const [isRunning, setRunning] = useState(false);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [tab, setTab] = useState<TabName>(isNarrow() ? 'chart' : 'source');
  const { film, choices } = player;
  const playback = usePlayback(film.frames.length);
  usePlaybackKeys(playback);
  const { index, isLive, follow, show } = playback;
  const frame = film.frames[index];
  const state = frame?.state ?? '';
  const counts = film.countsAt(index);

  const choose = (choice = choices[0]) => {
    if (!choice) return;
    player.choose(choice);
    follow();
    draw(undefined);
  };
  const begin = (found: Scenario) => {
    setRunning(false);
    setScenario(found);
    again(undefined);
    follow();
  };
  useEffect(() => {
    document.title = 'Demo · pawl';
  }, []);
  useEffect(() => {
    if (!isRunning) return;
    if (choices.length === 0) return setRunning(false);
    const timer = setTimeout(() => choose(), STEP_MS);
    return () => clearTimeout(timer);
  }, [isRunning, film.frames.length]);

  return (
    <div class="page run demo" data-tab={tab}>
      <TopBar>
        <h1 class="unseen">Scenario player</h1>
        <StatePill state={state} isLive={isRunning} />
        <label class="scenario">
          <span class="unseen">Scenario</span>
          <select
            value={scenario.id}
            onChange={(event) =>
              begin(SCENARIOS.find(({ id }) => id === event.currentTarget.value) ?? scenario)
            }
          >
            {SCENARIOS.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
            {!SCENARIOS.includes(scenario) && <option value={scenario.id}>{scenario.title}</option>}
          </select>
        </label>
        <p class="about" title={scenario.about}>
          {scenario.about}
        </p>
      </TopBar>
      <main class="stage">
        <Chart
          frame={frame}
          state={state}
          counts={counts}
          held={NOTHING_HELD}
          selection={selection}
          onSelect={(found) => {
            setSelection(found);
            if (!isNarrow()) setTab('details');
          }}
        />
        <aside class="side">
          <World
            choices={choices}
            isAtEnd={isLive}
            isRunning={isRunning}
            onChoose={choose}
            onRun={() => setRunning(!isRunning)}
            onAgain={() => begin(scenario)}
          />
          <GaugeStrip film={film} index={index} isRunning={false} />
          <Tabs tabs={TABS} chosen={tab} onChoose={setTab} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <div class="panel" tabIndex={0} data-scrolls>
            {tab === 'details' && (
              <Details selection={selection} frames={film.frames} index={index} counts={counts} />
            )}
            {tab === 'transcript' && <Transcript film={film} index={index} onShow={show} />}
            {tab === 'script' && <ScriptEditor key={scenario.id} scenario={scenario} onLoad={begin} />}
            {tab === 'figures' && <Figures film={film} index={index} isRunning={false} onShow={show} />}
            {(tab === 'source' || tab === 'chart') && <SourceView key={tab} state={state} />}
          </div>
        </aside>
      </main>
      <Timeline film={film} playback={playback} isGrowing={false} />
      <p class="unseen" role="status">
        {state}
      </p>
    </div>
  );
}
