import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** A page that was opened from a file may not use the clipboard directly. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

interface Props {
  readonly label: string;
  /** Made when it is asked for. */
  readonly text: () => string;
  readonly children?: string;
}

export function CopyButton({ label, text, children }: Props) {
  const [isDone, setDone] = useState(false);
  const onClick = () => {
    void copy(text()).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), 1_200);
    });
  };
  return (
    <Button label={isDone ? 'Copied' : label} icon="copy" onClick={onClick}>
      {isDone ? 'Copied' : children}
    </Button>
  );
}
