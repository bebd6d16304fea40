import type { RunEvent } from '../outcome.ts';

/**
 * Notices at the beginning of what a process tells of a run: only then is it sure that it begins, and a refusal is told
 * alone. What opens a run stays first; what goes on with one is preceded by what has changed.
 */
export function announcing(notices: readonly string[], onEvent: (event: RunEvent) => void) {
  const untold = [...notices];
  const tell = (): void => {
    for (const text of untold.splice(0)) onEvent({ type: 'notice', text });
  };
  return (event: RunEvent): void => {
    const isOpening = event.type === 'record' && event.record.type === 'run.started';
    if (!isOpening) tell();
    onEvent(event);
    tell();
  };
}
