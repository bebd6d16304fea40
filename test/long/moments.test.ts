/** Every moment at which a run may be stopped, and every record behind which it may crash; the short tests take a part of them. */
import { describe } from 'vitest';
import { describeCrashes } from '../durable/prefixes.ts';
import { describeStops } from '../journal/stops.ts';

describe('stopped from outside', () => describeStops(1));
describe('cut off', () => describeCrashes(1));
