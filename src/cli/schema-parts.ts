/** Values that several settings have. */
import * as z from 'zod';
import { duration } from './numbers.ts';

export const text = z.string('must be a text').trim().min(1, 'must not be empty');

export const positiveWhole = z
  .int('must be a positive whole number')
  .positive('must be a positive whole number, 1 or more');

/** As behind --timeout; in milliseconds. */
export const time = z
  .union([text, positiveWhole], 'must be a time such as 90s or 10m')
  .transform((value, problems) => {
    try {
      return duration('it', String(value));
    } catch (error) {
      problems.addIssue({ code: 'custom', message: (error as Error).message.replace(/^it |\.$/g, '') });
      return z.NEVER;
    }
  });
