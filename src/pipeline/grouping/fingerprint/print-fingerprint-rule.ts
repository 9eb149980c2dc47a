import { quoteText } from '../rule-text/unescape-text.ts';
import type { FingerprintMatcher, FingerprintRule } from './fingerprint-types.ts';
import { variableName } from './fingerprint-variables.ts';

/** A rule as a line of text, which reads back as the same rule. */
export const printFingerprintRule = ({ matchers, fingerprint, title }: FingerprintRule): string =>
  [
    ...ORDER.flatMap((frame) => matchers.filter((matcher) => matcher.frame === frame)).map(printMatcher),
    '->',
    ...[fingerprint.map(printEntry).join(', ')].filter((entries) => entries !== ''),
    ...(title === null ? [] : [`title=${quoteText(title)}`]),
  ].join(' ');

const ORDER: readonly FingerprintMatcher['frame'][] = ['caller', 'own', 'callee'];

function printMatcher({ key, pattern, isNegated, frame }: FingerprintMatcher): string {
  const name = /^[a-zA-Z0-9_.-]+$/.test(key) ? key : `"${key}"`;
  const matcher = `${isNegated ? '!' : ''}${name}:${quoteText(pattern)}`;
  if (frame === 'own') return matcher;
  return frame === 'caller' ? `[ ${matcher} ] |` : `| [ ${matcher} ]`;
}

const printEntry = (entry: string): string =>
  variableName(entry) !== null || /^[\w.:/-]+$/.test(entry) ? entry : quoteText(entry);
