/** All records are tried in test/long/moments.test.ts. */
import { describeCrashes } from './prefixes.ts';

describeCrashes(8);
