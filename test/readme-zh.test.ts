/** The Chinese edition says the same as the English one, as far as that can be seen: headings, blocks, tables, links. */
import { describe, expect, it } from 'vitest';
import { fill, PAGES } from '../scripts/docs.ts';
import { readPage } from './helpers/pages.ts';

const english = readPage('README.md');
const chinese = readPage('README.zh-CN.md');

const withoutBlocks = (page: string) => page.replace(/^```[\s\S]*?^```$/gm, '');
const levels = (page: string) => [...withoutBlocks(page).matchAll(/^(#+) /gm)].map(([, marks]) => marks);
/** Comments behind commands are translated. */
const blocks = (page: string) =>
  [...page.matchAll(/^```[\s\S]*?^```$/gm)].map(([block]) =>
    /^```(sh|console)/.test(block) ? block.replace(/ +#.*$/gm, '') : block,
  );
/** Of each row, what is the same in every language: how many cells it has, and what is code in the first two. */
const rows = (page: string) =>
  [...withoutBlocks(page).matchAll(/^\|.*\|$/gm)].map(([row]) => {
    const [, first = '', second = '', ...rest] = row.split('|');
    const code = `${first}${second}`.match(/`[^`]+`|\b\d+\b/g) ?? [];
    return {
      cells: rest.length,
      code: first.includes('`') ? code.slice(0, (first.match(/`/g)?.length ?? 0) / 2) : [],
    };
  });
const links = (page: string) =>
  [...withoutBlocks(page).matchAll(/\]\(([^)#][^)]*)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !link?.startsWith('README'));
const statuses = (page: string) =>
  [...page.matchAll(/^\| `(\w+)` \| ([\d, ]+) \|/gm)].map(([, name, code]) => [name, code]);

describe('the Chinese README', () => {
  it.each([
    ['headings, level by level', levels],
    ['blocks of commands and code', blocks],
    ['tables, row by row', rows],
    ['links and pictures', links],
    ['statuses and exit codes', statuses],
  ] as [string, (page: string) => unknown[]][])('has the same %s', (_, find) => {
    expect(find(english).length).toBeGreaterThan(5);
    expect(find(chinese)).toEqual(find(english));
  });

  it('shows the chart that the code has', () => {
    expect(fill(chinese, PAGES['README.zh-CN.md'])).toBe(chinese);
  });

  it('leads to headings that it has', () => {
    const anchors = [...withoutBlocks(chinese).matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    const headings = [...withoutBlocks(chinese).matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text?.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors.length).toBeGreaterThan(1);
    for (const anchor of anchors) expect(headings).toContain(anchor);
  });
});
