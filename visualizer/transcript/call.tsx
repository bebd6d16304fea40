/** A call and what became of it, side by side. */
import type { CallMoment, CallSeen } from '../film/entries.ts';
import { plainText } from '../film/gist.ts';
import { duration } from '../parts/format.ts';
import { changeOf } from './change.ts';
import { Diff } from './diff.tsx';
import { Folded } from './folded.tsx';

/** @param index the frame as of which */
export function CallView({ call, index }: { readonly call: CallSeen; readonly index: number }) {
  const moments = call.moments.filter((moment) => moment.index <= index);
  const last = moments.at(-1);
  const settled = last?.is === 'settled' ? last : undefined;
  const isBad = settled?.isError === true;
  const change = changeOf(call.name, call.input);
  const isBare = JSON.stringify(call.input ?? {}) === '{}';
  return (
    <div class={`call${isBad ? ' bad' : ''}${change || isBare ? ' stacked' : ''}`} data-call={call.id}>
      <div class="call-head">
        <span class="call-name">{call.name}</span>
        <code class="call-id">{call.id}</code>
        <span class={`badge badge-${toneOfCall(last)}`}>{wordOf(last, moments)}</span>
        {settled?.durationMs !== undefined && <span class="muted">{duration(settled.durationMs)}</span>}
      </div>
      <div class="call-sides">
        {!isBare && (
          <div class="call-side">
            <Input value={change ? change.others : call.input} />
            {change && <Diff lines={change.lines} />}
          </div>
        )}
        <div class="call-side">
          {settled ? (
            <Folded text={plainText(settled.content)} tone={isBad ? 'bad' : 'plain'} />
          ) : (
            <p class="muted pending">{PENDING[last?.is ?? 'planned']}</p>
          )}
        </div>
      </div>
    </div>
  );
}

const PENDING: Record<string, string> = {
  planned: 'Not looked at yet',
  reviewed: 'Waits',
  granted: 'Approved',
  started: 'Running …',
};

function toneOfCall(last: CallMoment | undefined): 'plain' | 'good' | 'bad' | 'warn' {
  if (last?.is === 'settled') return last.isError ? 'bad' : 'good';
  return last?.is === 'reviewed' && last.verdict === 'ask' ? 'warn' : 'plain';
}

function wordOf(last: CallMoment | undefined, moments: readonly CallMoment[]): string {
  if (last === undefined) return 'planned';
  if (last.is === 'reviewed') return last.verdict === 'ask' ? 'waits for a person' : 'may run';
  if (last.is !== 'settled') return last.is;
  if (last.how === 'finished')
    return `${last.isError ? 'error' : 'ok'}${moments.some(({ is }) => is === 'granted') ? ', approved' : ''}`;
  return last.how === 'closed' ? 'not run' : last.how;
}

/** Arguments one by one where they have names: texts as they are, anything else as JSON. */
export function Input({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return <Folded text={written(value)} />;
  const fields = Object.entries(value);
  if (fields.length === 0) return <p class="muted">No arguments</p>;
  return (
    <dl class="arguments">
      {fields.map(([name, one]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Folded text={written(one)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const written = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
