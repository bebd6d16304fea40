import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import type { JournalRecord } from './record.ts';

/**
 * A record of a run that version 1 began, as this version writes it. What was not there yet had no effect then, and has
 * none now; what a later process has written in the meantime stays.
 */
export function upgraded(record: JournalRecord): JournalRecord {
  switch (record.type) {
    case 'run.started':
      return withDefaults(
        { fallbackModel: null },
        { ...record, limits: withDefaults(DEFAULT_LIMITS, record.limits) },
      );
    case 'results.recorded':
      return withDefaults({ notice: null }, record);
    case 'run.ended':
      return withDefaults({ costUsd: 0 }, record);
    default:
      return record;
  }
}

const withDefaults = <Whole extends object>(defaults: Partial<Whole>, found: Whole): Whole => ({
  ...defaults,
  ...found,
});
