import { quoteText } from '../rule-text/unescape-text.ts';
import type { RuleAction, RuleMatcher, StackTraceRule } from './rule-types.ts';

/** A rule as a line of text, which reads back as the same rule. */
export const printStackTraceRule = ({ caller, own, callee, actions }: StackTraceRule): string =>
  [
    ...(caller === null ? [] : [`[ ${printMatcher(caller)} ] |`]),
    ...own.map(printMatcher),
    ...(callee === null ? [] : [`| [ ${printMatcher(callee)} ]`]),
    ...actions.map(printAction),
  ].join(' ');

const printMatcher = ({ key, pattern, isNegated }: RuleMatcher): string =>
  `${isNegated ? '!' : ''}${key}:${needsQuotes(pattern) ? quoteText(pattern) : pattern}`;

const needsQuotes = (pattern: string): boolean => pattern === '' || /[\s"]/.test(pattern);

function printAction(action: RuleAction): string {
  switch (action.kind) {
    case 'app':
    case 'group': {
      const range = action.range === 'up' ? '^' : action.range === 'down' ? 'v' : '';
      return `${range}${action.value ? '+' : '-'}${action.kind}`;
    }
    case 'invert-stacktrace':
      return `invert-stacktrace=${action.value ? 'yes' : 'no'}`;
    default:
      return `${action.kind}=${action.value}`;
  }
}
