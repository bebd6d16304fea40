import { run } from '../helpers/runner.ts';
import { runnerSuite } from './runners.ts';

runnerSuite(`a runner: ${process.env.PAWL_RUNNER ?? 'this process'}`, (options) => run(options));
