/** Calls that wait for a person's word, with all that is known of them in view. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenQuestion } from '../../src/inspector/protocol.ts';
import { sendDecision } from '../feed/api.ts';
import { Button } from '../parts/button.tsx';
import { Input } from '../transcript/call.tsx';
import { changeOf } from '../transcript/change.ts';
import { Diff } from '../transcript/diff.tsx';

interface Props {
  readonly runId: string;
  readonly questions: readonly OpenQuestion[];
}

export const Approvals = ({ runId, questions }: Props) => (
  <div class="approvals" role="region" aria-live="polite" aria-label="Calls that wait for your word">
    {questions.map((question) => (
      <Approval key={question.callId} runId={runId} question={question} />
    ))}
  </div>
);

function Approval({ runId, question }: Omit<Props, 'questions'> & { readonly question: OpenQuestion }) {
  const { callId, tool, input, diff } = question;
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  /** A second word would be for a call that does not wait any more. */
  const [said, setSaid] = useState<string | false>(false);
  const change = changeOf(tool, input);
  const here = useRef<HTMLElement>(null);
  useEffect(() => {
    const own = here.current;
    // Who is at work elsewhere on the page stays there; who has answered goes on with the next question.
    if (document.activeElement?.matches('body, .control')) own?.focus();
    return () => {
      if (!own?.contains(document.activeElement)) return;
      const all = [...document.querySelectorAll<HTMLElement>('.approval')];
      (all.find((other) => other !== own) ?? own.closest<HTMLElement>('.control'))?.focus();
    };
  }, []);
  const decide = (granted: boolean) => {
    const text = reason.trim();
    setSaid('Your answer is on its way');
    sendDecision(runId, { callId, granted, ...(text !== '' && { reason: text }) }).catch((error: Error) => {
      setProblem(error.message);
      setSaid(false);
    });
  };
  return (
    <article class="approval" ref={here} tabIndex={-1} data-question={callId}>
      <header>
        <span class="badge badge-warn">waits for you</span>
        <b>{tool}</b>
        <code class="call-id">{callId}</code>
      </header>
      <Input value={change ? change.others : input} />
      {change && <Diff lines={diff ?? change.lines} isWhole />}
      <label class="reason">
        <span>Reason, for the model</span>
        <input
          type="text"
          value={reason}
          placeholder="optional"
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      <div class="control-row">
        <Button label={`Approve ${tool}`} tone="main" disabled={said} onClick={() => decide(true)}>
          Approve
        </Button>
        <Button label={`Deny ${tool}`} tone="bad" disabled={said} onClick={() => decide(false)}>
          Deny
        </Button>
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </article>
  );
}
