import { describeRuns } from './runs.ts';

describeRuns(1501);
