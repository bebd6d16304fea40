import type { Connection } from '../feed/run-store.ts';
import { CopyButton } from '../parts/copy.tsx';
import { toneOf } from '../parts/state-tone.ts';

export function StatePill({ state, isLive }: { readonly state: string; readonly isLive: boolean }) {
  return (
    <span
      class={`pill-state${isLive ? ' live' : ''}`}
      style={{ '--tone': `var(${toneOf(state)})` }}
      data-state-now={state}
    >
      <i />
      {state || 'no state'}
    </span>
  );
}

export const WORDS: Record<Connection['is'], string> = {
  loading: 'Reading',
  live: 'Live',
  waiting: 'Connection lost, trying again',
  missing: 'There is no such run',
  gone: 'The journal was deleted',
  file: 'As it was when exported',
  damaged: 'The journal is damaged',
  over: 'The server has ended',
};

export function ConnectionView({
  connection,
  rest,
}: {
  readonly connection: Connection;
  /** Why nothing happens in the run; false: something may. */
  readonly rest: string | false;
}) {
  const isCalm = connection.is === 'live' && rest !== false;
  const words = isCalm ? rest : WORDS[connection.is];
  return (
    <span
      class={`connection is-${isCalm ? 'ended' : connection.is}`}
      data-connection={connection.is}
      title={connection.is === 'damaged' ? connection.problem : words}
    >
      <i />
      <span>{words}</span>
      {connection.is === 'over' && connection.command !== null && (
        <CopyButton
          label="Copy the command that shows this run again"
          text={() => connection.command ?? ''}
        />
      )}
    </span>
  );
}
