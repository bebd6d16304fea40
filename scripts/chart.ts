/** Gives the chart of the page its places (visualizer/chart/layout.json). Run by `npm run docs`, after a change of the machine. */
import { writeFileSync } from 'node:fs';
import { describeMachine } from '../machines/describe.ts';
import { loopMachine } from '../machines/loop.machine.ts';
import { layoutOf } from '../visualizer/chart/layout.ts';

const layout = layoutOf(describeMachine(loopMachine));
writeFileSync(new URL('../visualizer/chart/layout.json', import.meta.url), `${JSON.stringify(layout)}\n`);
