import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import type { Scenario } from './scenarios.ts';
import { readScript } from './script.ts';

/** The replies of the model, as text: they can be changed, and played. */
export function ScriptEditor({
  scenario,
  onLoad,
}: {
  readonly scenario: Scenario;
  readonly onLoad: (scenario: Scenario) => void;
}) {
  const [text, setText] = useState(() => JSON.stringify(scenario.script, null, 2));
  const [problem, setProblem] = useState('');
  const load = () => {
    try {
      onLoad({
        ...scenario,
        id: 'own',
        title: 'Own script',
        about: 'A script of your own.',
        script: readScript(text),
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div class="script-editor">
      <label>
        <span class="muted">
          {scenario.script.length === 0 && 'No reply of this story is scripted: what happens is chosen. '}
          Replies that play the model, as JSON: text, thinking, calls, stop_reason
        </span>
        <textarea spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Button label="Play this script" icon="play" onClick={load}>
        Play this script
      </Button>
    </div>
  );
}
