/** One entry of the transcript. All of it is text: nothing that a model or a tool wrote is read as markup. */
import type { ContentBlock } from '../../machines/protocol.ts';
import { totalTokens, usageOf } from '../../machines/reply.ts';
import type { Entry } from '../film/entries.ts';
import { outcomeOf } from '../film/gist.ts';
import { CopyButton } from '../parts/copy.tsx';
import { duration, short, usd } from '../parts/format.ts';
import { CallView } from './call.tsx';
import { Folded } from './folded.tsx';

interface Props {
  readonly entry: Entry;
  readonly index: number;
  readonly onShow: (index: number) => void;
}

const json = (value: unknown) => () => JSON.stringify(value, null, 2);

export function EntryView({ entry, index, onShow }: Props) {
  const jump = (
    <button type="button" class="jump" onClick={() => onShow(entry.index)} title="Go to this record">
      #{entry.index}
    </button>
  );
  switch (entry.kind) {
    case 'said':
      return (
        <article class={`entry said by-${entry.by}`}>
          <header>
            <b>{{ task: 'Task', person: 'Person', pawl: 'pawl' }[entry.by]}</b>
            {jump}
          </header>
          <Folded text={entry.text} tone="prose" />
        </article>
      );
    case 'request':
      return (
        <div class="entry request">
          <span class="rule" />
          <span>
            Request · {entry.isSummary ? 'summary' : `turn ${entry.turn}`}
            {entry.attempt > 1 && `, attempt ${entry.attempt}`}
            <span class="muted"> · new: {entry.news.join(', ') || 'nothing'}</span>
          </span>
          {entry.records.length > 0 && (
            <CopyButton label="Copy what was new as JSON" text={json(entry.records)} />
          )}
          <span class="rule" />
        </div>
      );
    case 'failed':
      return (
        <article class="entry failed">
          <header>
            <b>Request failed</b>
            <span class="badge badge-bad">{entry.record.failure.status ?? entry.record.failure.kind}</span>
            {entry.record.failure.retryable && (
              <span class="muted">again in {duration(entry.record.failure.delayMs)}</span>
            )}
            {jump}
          </header>
          <Folded text={entry.record.failure.message} tone="bad" />
        </article>
      );
    case 'check':
      return (
        <article class="entry check">
          <header>
            <b>Check</b>
            <span class={`badge badge-${entry.record.passed ? 'good' : 'bad'}`}>
              {outcomeOf(entry.record)}
            </span>
            <span class="muted">{duration(entry.record.durationMs)}</span>
            {jump}
          </header>
          <div class="call">
            <div class="call-side">
              <Folded
                text={`$ ${entry.record.command}\n${entry.record.output}`}
                tone={entry.record.passed ? 'plain' : 'bad'}
              />
            </div>
          </div>
        </article>
      );
    case 'note':
      return (
        <div class={`entry note note-${entry.tone}`}>
          <span>{entry.text}</span>
          {jump}
        </div>
      );
    case 'reply':
      return <ReplyView entry={entry} index={index} jump={jump} />;
  }
}

function ReplyView({
  entry,
  index,
  jump,
}: {
  readonly entry: Extract<Entry, { kind: 'reply' }>;
  readonly index: number;
  readonly jump: preact.JSX.Element;
}) {
  const { message, record, calls } = entry;
  const usage = usageOf(message);
  return (
    <article class={`entry reply${entry.isKept ? '' : ' dropped'}`}>
      <header>
        <b>{record.type === 'summary.received' ? 'Summary' : 'Model'}</b>
        <span class={`badge badge-${entry.isKept ? 'plain' : 'bad'}`}>
          {message.stop_reason ?? 'no stop reason'}
        </span>
        {!entry.isKept && <span class="muted">left out of the history</span>}
        <span
          class="muted"
          title={`input ${usage.input}, cache write ${usage.cacheWrite}, cache read ${usage.cacheRead}, output ${usage.output}`}
        >
          {short(totalTokens(usage))} tokens{record.costUsd > 0 && ` · ${usd(record.costUsd)}`}
        </span>
        <span class="grow" />
        <CopyButton label="Copy the reply as JSON" text={json(record)} />
        {jump}
      </header>
      {record.problems.map((problem) => (
        <p class="problem" key={problem}>
          {problem}
        </p>
      ))}
      {message.content.map((block, place) => (
        <BlockView key={place} block={block} />
      ))}
      {calls.map((call) => (
        <CallView key={call.id} call={call} index={index} />
      ))}
    </article>
  );
}

function BlockView({ block }: { readonly block: ContentBlock }) {
  if (block.type === 'tool_use') return null;
  if (block.type === 'text')
    return block.text === '' ? null : <Folded text={String(block.text)} tone="prose" />;
  if (block.type === 'thinking')
    return (
      <details class="thinking">
        <summary>Thinking</summary>
        <Folded text={String(block.thinking)} tone="prose" />
      </details>
    );
  return (
    <details class="thinking">
      <summary>{block.type}</summary>
      <Folded text={JSON.stringify(block, null, 2)} />
    </details>
  );
}
