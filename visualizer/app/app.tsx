import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JournalRecord } from '../../src/journal/record.ts';
import { follow } from '../feed/follow.ts';
import { RunStore } from '../feed/run-store.ts';
import { RunList } from '../runs/run-list.tsx';
import { useRoute } from './router.ts';
import { RunView } from './run-view.tsx';

/** @param file records that came with the page: an exported run */
export function App({ file }: { readonly file: readonly JournalRecord[] }) {
  const route = useRoute(file.length > 0);
  switch (route.page) {
    case 'run':
      return <FollowedRun key={route.runId} runId={route.runId} />;
    case 'compare':
      return (
        <Later
          key={`${route.left} ${route.right}`}
          load={loadCompare}
          left={route.left}
          right={route.right}
        />
      );
    case 'demo':
      return <Later load={loadDemo} />;
    case 'file':
      return <ExportedRun records={file} />;
    case 'runs':
      return <RunList />;
  }
}

function FollowedRun({ runId }: { readonly runId: string }) {
  const store = useMemo(() => new RunStore(), []);
  useEffect(() => follow(store, runId), []);
  return <RunView store={store} runId={runId} />;
}

function ExportedRun({ records }: { readonly records: readonly JournalRecord[] }) {
  const store = useMemo(() => new RunStore(), []);
  useEffect(() => {
    store.add(records);
    store.connect({ is: 'file' });
  }, []);
  const [header] = records;
  return <RunView store={store} runId={header?.type === 'run.started' ? header.runId : ''} />;
}

const loadDemo = () => import('../demo/demo.tsx').then(({ Demo }) => Demo);
const loadCompare = () => import('../compare/compare.tsx').then(({ Compare }) => Compare);

/** What few look at is fetched when it is wanted: who watches a run does not wait for it. */
function Later<Props extends object>({
  load,
  ...props
}: { readonly load: () => Promise<ComponentType<Props>> } & Props) {
  const [Page, setPage] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    void load().then((found) => setPage(() => found));
  }, [load]);
  return Page && <Page {...(props as unknown as Props)} />;
}
