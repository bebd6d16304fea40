/** What was clicked: its description, and what its guards said when they were last asked. */
import type { Frame } from '../film/film.ts';
import { machine, stateId } from '../film/machine.ts';
import type { Counts } from '../film/tally.ts';
import { lastAsked, siblings } from '../film/verdicts.ts';
import { Button } from '../parts/button.tsx';
import { counted, duration } from '../parts/format.ts';
import { isEnd, toneOf } from '../parts/state-tone.ts';
import type { EdgeId } from './graph.ts';
import type { Selection } from './selection.ts';

interface Props {
  readonly selection: Selection | null;
  readonly frames: readonly Frame[];
  readonly index: number;
  readonly counts: Counts;
  /** undefined: nobody can hold this run. */
  readonly breaks?: { readonly held: ReadonlySet<string>; readonly toggle: (at: string) => void } | undefined;
}

export function Details({ selection, frames, index, counts, breaks }: Props) {
  if (selection === null)
    return (
      <p class="empty">
        Click a state, an arrow or a word in a state: what it means, and what its guards last said.
      </p>
    );
  if (selection.kind === 'state')
    return <StateDetails {...{ name: selection.name, frames, index, counts, breaks }} />;
  const first = machine.edges[selection.edges[0] ?? 0];
  const ends = `${first?.source}->${first?.target}`;
  return (
    <div class="details">
      <h2>
        {first?.source} <span class="to">→</span> {first?.target ?? 'stays'}
      </h2>
      {breaks && first?.target && !isEnd(first.target) && <BreakButton at={ends} {...breaks} />}
      <Guards edges={selection.edges} {...{ frames, index, counts }} />
    </div>
  );
}

function StateDetails({
  name,
  frames,
  index,
  counts,
  breaks,
}: Omit<Props, 'selection'> & { readonly name: string }) {
  const id = stateId(name);
  const state = machine.states[id];
  const edges = machine.edges.flatMap(({ source }, edge) => (source === name ? [edge] : []));
  const facts = [
    counted(counts.visits[id] ?? 0, 'visit'),
    duration(counts.timeMs[id] ?? 0),
    ...(state?.jobs.map((job) => `job ${job}`) ?? []),
  ];
  return (
    <div class="details" style={{ '--tone': `var(${toneOf(name)})` }}>
      <h2>
        <span class="swatch" />
        {name}
      </h2>
      <p>{state?.description ?? 'No description.'}</p>
      <p class="facts">{facts.join(' · ')}</p>
      {breaks && !isEnd(name) && <BreakButton at={name} {...breaks} />}
      {edges.length > 0 && <Guards {...{ edges, frames, index, counts }} />}
    </div>
  );
}

function BreakButton({ at, held, toggle }: NonNullable<Props['breaks']> & { readonly at: string }) {
  const isHeld = held.has(at);
  return (
    <Button
      label={isHeld ? `Remove the breakpoint at ${at}` : `Hold the run at ${at}`}
      pressed={isHeld}
      onClick={() => toggle(at)}
    >
      {isHeld ? '● Breakpoint' : '○ Break here'}
    </Button>
  );
}

/** Edges of one event stand together, in the order in which they are asked: the first that holds is taken. */
function Guards({
  edges,
  frames,
  index,
  counts,
}: Pick<Props, 'frames' | 'index' | 'counts'> & { readonly edges: readonly EdgeId[] }) {
  const groups = new Map<string, { source: string; event: string }>();
  for (const edge of edges) {
    const { source, event } = machine.edges[edge] ?? { source: '', event: '' };
    groups.set(`${source} ${event}`, { source, event });
  }
  return (
    <>
      {[...groups.values()].map(({ source, event }) => {
        const asked = lastAsked(frames, index, source, event);
        return (
          <section class="guards" key={event}>
            <h3>
              <code>{event === 'always' ? 'by itself' : event}</code>
              <span>{asked ? `last asked at #${asked.index}` : 'not asked so far'}</span>
            </h3>
            <ol>
              {siblings(source, event).map((edge) => (
                <GuardRow
                  key={edge}
                  edge={edge}
                  isMeant={edges.includes(edge)}
                  taken={counts.taken[edge] ?? 0}
                  verdict={asked?.verdicts.find((one) => one.edge === edge)}
                />
              ))}
            </ol>
          </section>
        );
      })}
    </>
  );
}

interface RowProps {
  readonly edge: EdgeId;
  readonly isMeant: boolean;
  readonly taken: number;
  readonly verdict: { readonly holds: boolean | null; readonly fact: string } | undefined;
}

function GuardRow({ edge, isMeant, taken, verdict }: RowProps) {
  const { guard, target, actions, description } = machine.edges[edge] ?? {};
  const is = verdict === undefined || verdict.holds === null ? 'unasked' : verdict.holds ? 'yes' : 'no';
  const words = { unasked: 'not asked', yes: 'holds', no: 'does not hold' };
  return (
    <li class={`guard-row is-${is}${isMeant ? '' : ' other'}`}>
      <span class="mark" role="img" aria-label={words[is]} title={words[is]} />
      <div>
        <code>{guard ?? 'else'}</code> <span class="to">→</span> {target ?? 'stays'}
        {taken > 0 && <span class="taken-count">×{taken}</span>}
        {verdict?.fact && <div class="fact">{verdict.fact}</div>}
        {description && <div class="fact">{description}</div>}
        {actions && actions.length > 0 && <div class="fact actions">{actions.join(', ')}</div>}
      </div>
    </li>
  );
}
