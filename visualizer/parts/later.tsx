/** What few look at is fetched when it is wanted: who watches a run does not wait for it. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Later<Props extends object>({
  load,
  ...props
}: { readonly load: () => Promise<ComponentType<Props>> } & Props) {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    load().then(
      (found) => setPart(() => found),
      () => setLost(true),
    );
  }, [load]);
  if (isLost)
    return <p class="empty">This part of the page can no longer be loaded: its server has ended.</p>;
  return Part && <Part {...(props as unknown as Props)} />;
}
