import { useEffect, useMemo } from 'preact/hooks';
import { follow } from '../feed/follow.ts';
import { RunStore } from '../feed/run-store.ts';
import { Later } from '../parts/later.tsx';
import { useRoute } from './router.ts';
import { RunView } from './run-view.tsx';

export function App() {
  const route = useRoute();
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
      return <Later key="demo" load={loadDemo} />;
    case 'runs':
      return <Later key="runs" load={loadRuns} />;
  }
}

function FollowedRun({ runId }: { readonly runId: string }) {
  const store = useMemo(() => new RunStore(), []);
  useEffect(() => follow(store, runId), []);
  return <RunView store={store} runId={runId} />;
}

const loadRuns = () => import('../runs/run-list.tsx').then((all) => all.RunList);
const loadDemo = () => import('../demo/demo.tsx').then((all) => all.Demo);
const loadCompare = () => import('../compare/compare.tsx').then((all) => all.Compare);
