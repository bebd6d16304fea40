import { Screen, type ScreenStream } from '../../src/cli/screen.ts';
import { styleOf } from '../../src/cli/style.ts';

export const plain = styleOf(false);

/** A screen whose output is kept. */
export function recordingScreen(stream: Omit<ScreenStream, 'write'> = {}) {
  let written = '';
  const write = (text: string) => {
    written += text;
    return true;
  };
  const screen = new Screen({ ...stream, write }, plain);
  return {
    screen,
    get written() {
      return written;
    },
  };
}
