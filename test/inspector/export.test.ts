import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageWith } from '../../src/inspector/export.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { header } from '../helpers/records.ts';

const EMPTY = '<script type="application/json" id="pawl-records"></script>';
const TEMPLATE = `<!doctype html><body>${EMPTY}<script>document.getElementById("pawl-records")</script>`;
const recordsOf = (task: string): JournalRecord[] => [{ ...header({ task }), seq: 0, at: '' }];

/** As a browser finds it: a script element ends at the first thing that ends one, whatever is in it. */
function found(page: string | undefined): { readonly text: string; readonly behind: string } {
  const start = (page ?? '').indexOf(EMPTY.slice(0, EMPTY.indexOf('></') + 1)) + EMPTY.indexOf('></') + 1;
  const end = start + (page ?? '').slice(start).search(/<\/script/i);
  return { text: (page ?? '').slice(start, end), behind: (page ?? '').slice(end) };
}

describe('a run as one page', () => {
  it.each([
    '</script><script>window.hit=1</script>',
    '<!-- <script>',
    '</SCRIPT >',
    "$& $1 $` $'",
    '\u2028\u2029',
    '<img src=x onerror="window.hit=1">',
  ])('holds %j as text that comes back to the letter', (task) => {
    const { text, behind } = found(pageWith(TEMPLATE, recordsOf(task)));
    expect(JSON.parse(text)).toEqual(recordsOf(task));
    expect(text).not.toContain('<');
    expect(behind).toBe(TEMPLATE.slice(TEMPLATE.indexOf(EMPTY) + EMPTY.indexOf('</')));
  });

  it('holds whatever a record may say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (task) => {
        expect(JSON.parse(found(pageWith(TEMPLATE, recordsOf(task))).text)).toEqual(recordsOf(task));
      }),
    );
  });

  it('cannot be made of a page that has no place for the records', () => {
    expect(pageWith('<!doctype html>', recordsOf('t'))).toBeUndefined();
  });
});
