// What pawl is measured against: saves nothing.
import { loop } from './loop.mjs';

await loop();
