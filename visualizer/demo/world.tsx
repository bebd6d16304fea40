/** What can happen next, to choose from. */
import { Button } from '../parts/button.tsx';
import type { Choice } from './choices.ts';

interface Props {
  readonly choices: readonly Choice[];
  /** Whether the newest moment of the story is the one that is shown. */
  readonly isAtEnd: boolean;
  readonly isRunning: boolean;
  readonly onChoose: (choice?: Choice) => void;
  readonly onRun: () => void;
  readonly onAgain: () => void;
}

export function World({ choices, isAtEnd, isRunning, onChoose, onRun, onAgain }: Props) {
  const isOver = choices.length === 0 && 'The story is over.';
  return (
    <section class="world" aria-label="What happens next">
      <div class="control-row">
        <Button
          label={isRunning ? 'Stop the story' : 'Run the story'}
          icon={isRunning ? 'pause' : 'play'}
          tone="main"
          disabled={isOver}
          onClick={onRun}
        >
          {isRunning ? 'Stop' : 'Run'}
        </Button>
        <Button label="One step of the story" icon="step" disabled={isOver} onClick={() => onChoose()}>
          Step
        </Button>
        <Button label="From the beginning" icon="first" onClick={onAgain}>
          Again
        </Button>
      </div>
      <div class={`choices${isAtEnd ? '' : ' is-past'}`} role="group" aria-label="Choices">
        {choices.map((choice, place) => (
          <button
            type="button"
            key={choice.id}
            class={`choice by-${choice.by}${place === 0 ? ' next' : ''}`}
            data-choice={choice.id}
            onClick={() => onChoose(choice)}
          >
            {choice.text}
          </button>
        ))}
        {choices.length === 0 && <span class="muted">The machine has come to its end.</span>}
      </div>
    </section>
  );
}
