/** Steers a run through the gate that all of its effects cross. */
import type { Command, ControlState, Parked } from '../../src/inspector/protocol.ts';
import { WORDS } from '../app/run-state.tsx';
import type { RunStore } from '../feed/run-store.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { Later } from '../parts/later.tsx';

export const loadApprovals = () => import('./approvals.tsx').then((all) => all.Approvals);

interface Props {
  readonly store: RunStore;
  readonly runId: string;
  readonly isEnded: boolean;
  /** Why the last command was not obeyed; empty where it was. */
  readonly refusal: string;
  readonly onCommand: (command: Command) => void;
}

export function ControlBar({ store, runId, isEnded, refusal, onCommand: send }: Props) {
  const { control } = store;
  const why = reasonFor(store);
  // A run that is over has nothing that could be steered, and says so by its state.
  if (isEnded) return null;
  if (why !== false && !isSteered(control))
    return (
      <section class="control" aria-label="Control">
        <p class="muted">{why}</p>
      </section>
    );
  const isPaused = control?.isPaused ?? false;
  const tools = store.film.header?.tools.map(({ name }) => name) ?? [];
  return (
    <section class="control" aria-label="Control" tabIndex={-1}>
      <div class="control-row" role="toolbar" aria-label="Run">
        {isPaused ? (
          <Button
            label="Continue"
            icon="play"
            tone="main"
            disabled={why}
            onClick={() => send({ command: 'continue' })}
          >
            Continue
          </Button>
        ) : (
          <Button
            label="Pause before the next effect"
            icon="pause"
            disabled={why}
            onClick={() => send({ command: 'pause' })}
          >
            Pause
          </Button>
        )}
        <Button
          label="Let one effect pass"
          icon="step"
          disabled={why}
          onClick={() => send({ command: 'step' })}
        >
          Step
        </Button>
        <Button
          label="Cancel the run"
          icon="stop"
          tone="bad"
          disabled={why}
          onClick={() => send({ command: 'cancel' })}
        >
          Cancel
        </Button>
        {why === false && <AddBreak tools={tools} onAdd={(at) => send({ command: 'break', at })} />}
      </div>
      {why !== false && <p class="muted why">{why}</p>}
      {refusal && (
        <p class="problem" role="alert">
          {refusal}
        </p>
      )}
      {control?.parked.map((parked) => (
        <p class="parked" key={`${parked.kind} ${parked.callId}`}>
          <Icon name="pause" />
          {parkedText(parked)}
        </p>
      ))}
      {control && control.breakpoints.length > 0 && (
        <ul class="breaks" aria-label="Breakpoints">
          {control.breakpoints.map((at) => (
            <li key={at}>
              <code>{at}</code>
              <Button
                label={`Remove the breakpoint ${at}`}
                icon="close"
                disabled={why}
                onClick={() => send({ command: 'unbreak', at })}
              />
            </li>
          ))}
        </ul>
      )}
      {control && control.questions.length > 0 && (
        <Later load={loadApprovals} runId={runId} questions={control.questions} />
      )}
    </section>
  );
}

function AddBreak({
  tools,
  onAdd,
}: {
  readonly tools: readonly string[];
  readonly onAdd: (at: string) => void;
}) {
  return (
    <select
      class="add-break"
      aria-label="Hold the run at a tool"
      value=""
      onChange={(event) => {
        const { value } = event.currentTarget;
        event.currentTarget.value = '';
        if (value !== '') onAdd(value);
      }}
    >
      <option value="">Break …</option>
      {tools.map((tool) => (
        <option key={tool} value={`tool:${tool}`}>
          tool:{tool}
        </option>
      ))}
    </select>
  );
}

/** false: it can be steered. */
function reasonFor(store: RunStore): string | false {
  const { control, connection } = store;
  if (connection.is === 'file') return 'As it was when it was exported.';
  if (connection.is !== 'live') return WORDS[connection.is];
  return isSteered(control) ? false : answerFor(store);
}

/** How a call that waits in a run of others is answered: as pawl says it on a terminal. */
function answerFor({ film: { header }, waiting, engine, isHeld }: RunStore): string {
  const run = plain(header?.runId ?? '', 'RUN');
  const resume = `pawl resume ${run}`;
  if (isHeld && !(waiting && engine)) return 'Watched only: another process works on this run.';
  if (!waiting) return `To go on: ${resume}`;
  const command = `Waits for a person: pawl approve ${run} ${plain(waiting.id, 'CALL')}`;
  return engine === null ? `${command}, then ${resume}` : `${command} --restate ${engine}`;
}

/** What could mean something to a shell is not written where it is copied into one: models make up ids. */
const plain = (id: string, otherwise: string): string => (/^\w[\w.:-]*$/.test(id) ? id : otherwise);

export const isSteered = (control: ControlState | null): boolean => control?.isControlled ?? false;

const WHAT: Record<Parked['kind'], string> = {
  request: 'the next request to the model',
  wait: 'the wait before another try',
  review: 'the review of the calls',
  hook: 'the hook',
  check: 'the check of the answer',
  approval: 'the question to a person',
  tool: 'the call',
};

const parkedText = ({ kind, tool, turn, breakpoint }: Parked): string =>
  `Held before ${WHAT[kind]}${tool ? ` of ${tool}` : ''}, turn ${turn}${breakpoint ? ` · breakpoint ${breakpoint}` : ''}`;
