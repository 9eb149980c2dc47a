import { parseIpRange } from '#pipeline/filter/ip-ranges.ts';
import { compileGlob } from '#pipeline/patterns/glob.ts';
import type { FilterList } from './filter-catalogue.ts';

const LINES_MAX = 500;

/** `line` counts from 1, blank ones included. */
export type LineProblem = { line: number; text: string; problem: string };

/** Reads the text of one list, one entry a line: the entries, and what is wrong with which line. */
export function checkFilterLines(
  list: FilterList,
  text: string,
): { entries: readonly string[]; problems: readonly LineProblem[] } {
  const entries: string[] = [];
  const problems: LineProblem[] = [];
  for (const [index, sent] of text.split(/\r\n|\r|\n/).entries()) {
    const entry = sent.trim();
    if (entry === '' || entries.includes(entry)) continue;
    if (entries.length >= LINES_MAX) {
      problems.push({ line: index + 1, text: entry, problem: `at most ${LINES_MAX} lines are kept` });
      break;
    }
    const problem = problemOf(list, entry);
    if (problem !== null) problems.push({ line: index + 1, text: entry, problem });
    entries.push(entry);
  }
  return { entries, problems };
}

function problemOf(list: FilterList, entry: string): string | null {
  if (/\p{Cc}/u.test(entry)) return 'holds a control character';
  if (list !== 'ipAddresses') return compileGlob(entry).problem;
  return parseIpRange(entry) === null
    ? 'is no address and no range: write 203.0.113.7, 198.51.100.0/24 or 2001:db8::/32'
    : null;
}
