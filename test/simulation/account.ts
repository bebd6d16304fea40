/** What the requests of a run have taken, and the caps that nothing may pass. */
import { isDeepStrictEqual } from 'node:util';
import type { Limits } from '../../machines/limits.ts';
import type { Usage } from '../../machines/protocol.ts';
import { inUnits, unitsOf } from './money.ts';
import { must } from './must.ts';

export class Account {
  usage: Usage = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
  #units = 0;

  get tokens(): number {
    return Object.values(this.usage).reduce((sum, count) => sum + count, 0);
  }

  get costUsd(): number {
    return this.#units / 1e7;
  }

  /** A reply, or as much of one as came before it failed. */
  pay({ tokenBudget, maxCostUsd }: Limits, usage: Usage, model: string, costUsd: number): void {
    for (const name of ['input', 'cacheWrite', 'cacheRead', 'output'] as const)
      this.usage = { ...this.usage, [name]: this.usage[name] + usage[name] };
    must(
      tokenBudget === null || this.tokens <= tokenBudget,
      'the token budget is never passed, summary included',
      this.tokens,
    );
    const units = unitsOf(model, usage);
    must(inUnits(costUsd) === units, 'a cost is that of the usage, at the price of the model', [
      costUsd,
      units,
    ]);
    must(this.covers(maxCostUsd, units), 'the money budget is never passed, summary included', this.costUsd);
    this.#units += units;
  }

  /** Whether the money is enough for so much more. */
  covers(maxCostUsd: number | null, units: number): boolean {
    return maxCostUsd === null || this.#units + units <= inUnits(maxCostUsd);
  }

  close(usage: Usage, costUsd: number): void {
    must(isDeepStrictEqual(usage, this.usage), 'the usage is the sum over the requests', usage);
    must(inUnits(costUsd) === this.#units, 'the cost is the sum over the requests', costUsd);
  }
}
