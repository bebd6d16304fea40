/** One run from a seed: processes that die, fail, are cancelled and are followed by others, until one comes to an end. */
import os from 'node:os';
import type { Unsettled } from '../../machines/budget.ts';
import type { Gate } from '../../src/actors/gate.ts';
import { foldRecords } from '../../src/journal/fold.ts';
import { CannotInstruct, forkedRecords } from '../../src/journal/fork.ts';
import type { Means, ResumeOptions } from '../../src/options.ts';
import type { RunOutcome } from '../../src/outcome.ts';
import { resume } from '../../src/resume.ts';
import { CannotResume } from '../../src/resumption.ts';
import { run } from '../../src/run.ts';
import { simulatedJournal, survive } from './disk.ts';
import { decideElsewhere } from './elsewhere.ts';
import type { Life } from './life.ts';
import { simulatedModel } from './model.ts';
import { MODEL, OTHER_MODEL, PRICES } from './money.ts';
import { must } from './must.ts';
import { BEGINNING, newLife, untilTheEnd } from './process.ts';
import { Random } from './random.ts';
import { profileOf, raised } from './scenario.ts';
import { approverOf, delayMs, policyOf, simulatedTools } from './tools.ts';
import { Watch } from './watch.ts';
import { World } from './world.ts';

/** What happened in a run, for the sums that are told at the end. */
export interface Played {
  readonly status: string;
  readonly records: number;
  readonly requests: number;
  readonly effects: number;
  readonly processes: number;
  readonly kills: number;
  readonly suspensions: number;
  /** From elsewhere. */
  readonly decisions: number;
}

/** So often, a suspended run has one more process to come to its end in. */
const MOST_SUSPENSIONS = 4;

/** How a process ended. */
type End = RunOutcome | 'killed' | 'not resumed';

/** A rule was broken; the seed repeats it. */
export class Broken extends Error {
  constructor(seed: number, world: World, cause: unknown) {
    const records = world.records.map((record) => JSON.stringify(record)).join('\n');
    const said = cause instanceof Error ? (cause.name === 'Violation' ? cause.message : cause.stack) : cause;
    super(
      `seed ${seed}, process ${world.processes}, behind record ${world.records.length - 1}: ${said}\n${records}`,
      { cause },
    );
  }
}

/** To be called with virtual timers. @throws Broken */
export async function simulate(seed: number): Promise<Played> {
  const random = new Random(seed);
  let world = new World(random, profileOf(random));
  let kills = 0;
  let suspensions = 0;
  let decisions = 0;
  let status = 'not resumed';
  try {
    for (let left = world.profile.processes; left > 0; left -= 1) {
      decisions += await decideElsewhere(world);
      const end = await live(world, left === 1);
      if (end === 'killed') kills += 1;
      else status = end === 'not resumed' ? end : end.status;
      if (end !== 'killed' && status === 'suspended') {
        suspensions += 1;
        if (suspensions <= MOST_SUSPENSIONS) left += 1;
      }
      if (left === 2 && random.chance(0.3)) world = forked(world);
    }
  } catch (error) {
    throw new Broken(seed, world, world.violation ?? error);
  }
  const effects = [...world.executions.values()].reduce((sum, times) => sum + times, 0);
  const { records, requests, processes } = world;
  return {
    status,
    records: records.length,
    requests: requests.length,
    effects,
    processes,
    kills,
    suspensions,
    decisions,
  };
}

/** One process: it begins the run, or goes on with what is there of it. */
async function live(world: World, isLast: boolean): Promise<End> {
  world.processes += 1;
  const life = newLife(world, isLast);
  const watch = new Watch(world, life);
  const end = await untilTheEnd(world, life, begin(world, life, watch, isLast));
  if (end === 'killed') survive(world, life.fate.isPowerCut);
  else if (end !== 'not resumed') watch.onEnd(end, isLast);
  if (world.violation) throw world.violation;
  return end;
}

function begin(world: World, life: Life, watch: Watch, isLast: boolean): Promise<End> {
  const { random, profile } = world;
  const gate: Gate = {
    cross: (_, signal) => life.moment(delayMs(world, [5]), signal),
  };
  const means: Means = {
    client: simulatedModel(world, life, watch),
    tools: simulatedTools(world, life, watch),
    policy: policyOf(life),
    approver: approverOf(world, life, watch, isLast),
    gate,
    signal: life.signal,
    // Never used: the tools start no process.
    sandbox: { run: () => Promise.reject(new Error('there is no sandbox')) },
    prices: PRICES,
    now: () => life.clock.now,
    random: () => random.next(),
  };
  if (world.records.length > 0) return goOn(world, life, watch, means);
  const journal = simulatedJournal(world, life, watch);
  const workspace = os.tmpdir();
  return run({
    ...means,
    journal,
    workspace,
    task: 'the task',
    model: MODEL,
    ...(profile.limits.maxFallbacks > 0 && { fallbackModel: OTHER_MODEL }),
    runId: 'a-run',
    limits: profile.limits,
  });
}

async function goOn(world: World, life: Life, watch: Watch, means: Means): Promise<End> {
  const { records, random } = world;
  const { snapshot } = foldRecords(records);
  const hadEnded = snapshot.status === 'done';
  if (hadEnded) world.takenUp.add(records.length);
  else world.takenUp.delete(records.length);
  const options = { ...means, ...additions(world, hadEnded) };
  const mustFail = hasNothingToGoOnWith(
    world,
    hadEnded && snapshot.value === 'answered',
    hadEnded,
    options,
    snapshot.context.unsettled,
  );
  const tornBytes = random.chance(0.1) ? 17 : 0;
  const journal = simulatedJournal(world, life, watch);
  try {
    const outcome = await resume({ journal, records, tornBytes }, options);
    must(!mustFail, 'what has nothing to go on with is not resumed');
    return outcome;
  } catch (error) {
    if (!(error instanceof CannotResume)) throw error;
    must(mustFail, `a run that can go on is resumed, but: ${error.message}`);
    must(world.records.length === records.length, 'nothing is written to a run that is not resumed');
    return 'not resumed';
  }
}

type Additions = Pick<ResumeOptions, 'instruction' | 'limits'>;

/** A run that had ended is mostly given what it needs to go on; one that was interrupted mostly needs nothing. */
function additions({ random, books }: World, hadEnded: boolean): Additions {
  const isGiven = () => random.chance(hadEnded ? 0.95 : 0.15);
  return {
    ...(isGiven() && { limits: raised(random, books.limits, books.counters.turns) }),
    ...(isGiven() !== (hadEnded && books.endsInPause) && { instruction: 'Go on.' }),
  };
}

function hasNothingToGoOnWith(
  { books }: World,
  hasAnswered: boolean,
  hadEnded: boolean,
  { instruction, limits: changes }: Additions,
  unsettled: Unsettled,
): boolean {
  const limits = { ...books.limits, ...changes };
  if (books.endsInPause && instruction !== undefined) return true;
  if (!hadEnded || (books.endsInPause && instruction === undefined)) return false;
  if (hasAnswered && instruction === undefined) return true;
  if (books.counters.turns >= limits.maxTurns) return true;
  // What did not fit a budget does not fit it now.
  const holds = (budget: number | null, before: number | null, spent: number, status: string) =>
    budget !== null &&
    (spent >= budget || (books.closing?.status === status && budget <= (before ?? Number.POSITIVE_INFINITY)));
  return (
    holds(
      limits.tokenBudget,
      books.limits.tokenBudget,
      books.account.tokens + unsettled.tokens,
      'token_budget',
    ) ||
    holds(
      limits.maxCostUsd,
      books.limits.maxCostUsd,
      books.account.costUsd + unsettled.costUsd,
      'cost_budget',
    )
  );
}

/** Another run that begins as this one did; this one is left alone. */
function forked(world: World): World {
  const { random, records } = world;
  if (records.length === 0) return world;
  const origin = records.slice(0, random.int(1, records.length));
  const fork = { runId: 'a-fork', pawl: '0.0.0', now: BEGINNING };
  const task = random.chance(0.5) ? 'Do it in another way.' : undefined;
  try {
    const taken = forkedRecords(origin, { ...fork, ...(task !== undefined && { task }) });
    const isNewTask = task !== undefined && origin.length === 1;
    if (taken.length > origin.length && foldRecords(origin).snapshot.status === 'done')
      world.takenUp.add(origin.length);
    else world.takenUp.delete(origin.length);
    return world.fork(taken, isNewTask ? 0 : origin.length);
  } catch (error) {
    if (!(error instanceof CannotInstruct)) throw error;
    return world;
  }
}
