import { describeRuns } from './runs.ts';

describeRuns(501);
