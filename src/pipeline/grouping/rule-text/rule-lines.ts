import type { RuleProblem } from './rule-problem.ts';
import { RuleSyntaxError } from './rule-reader.ts';

const TEXT_CHARS_MAX = 200_000;
const LINE_CHARS_MAX = 4_000;
const PROBLEMS_MAX = 100;

/** Calls `readRule` with each line that is neither empty nor a comment, and gathers what it throws. */
export function eachRuleLine(
  text: string,
  rulesMax: number,
  readRule: (line: string) => void,
): readonly RuleProblem[] {
  if (text.length > TEXT_CHARS_MAX) {
    return [{ line: 1, column: 1, message: `Rules have at most ${TEXT_CHARS_MAX} characters` }];
  }
  const problems: RuleProblem[] = [];
  let rules = 0;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const start = line.search(/\S/);
    if (start === -1 || line[start] === '#') continue;
    if (problems.length >= PROBLEMS_MAX) break;
    const report = (column: number, message: string): void => {
      problems.push({ line: index + 1, column, message });
    };
    if (line.length > LINE_CHARS_MAX) {
      report(LINE_CHARS_MAX + 1, `A rule has at most ${LINE_CHARS_MAX} characters`);
    } else if (rules >= rulesMax) {
      report(start + 1, `There are more than ${rulesMax} rules`);
      break;
    } else {
      rules += 1;
      try {
        readRule(line);
      } catch (error) {
        if (!(error instanceof RuleSyntaxError)) throw error;
        report(error.index + 1, error.message);
      }
    }
  }
  return problems;
}
