/** All moments are tried in test/long/moments.test.ts. */
import { describeStops } from './stops.ts';

describeStops(10);
