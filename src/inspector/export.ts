import type { JournalRecord } from '../journal/record.ts';

const PLACE = /(<script type="application\/json" id="pawl-records">)\s*(<\/script>)/;

/**
 * A page with the records in it. Inside a script element the browser knows no escapes but ends it at `</script`, and
 * `<!--` changes where that is: neither is left where no `<` is.
 * @returns undefined where the page has no place for them
 */
export function pageWith(template: string, records: readonly JournalRecord[]): string | undefined {
  if (!PLACE.test(template)) return undefined;
  const json = JSON.stringify(records).replaceAll('<', '\\u003c');
  return template.replace(PLACE, (_, opening: string, closing: string) => opening + json + closing);
}
