import { RuleReader, readMatcherName } from '../rule-text/rule-reader.ts';
import { patternProblem } from './compile-fingerprint-matcher.ts';
import {
  type FingerprintMatcher,
  type FingerprintRule,
  fingerprintKey,
  groupOf,
} from './fingerprint-types.ts';
import { DEFAULT_ENTRY, isDefaultEntry } from './fingerprint-variables.ts';

const UNQUOTED = /\S+/y;
const ATTRIBUTE = /[a-zA-Z0-9_.-]+=(?=")/y;
const ENTRY = /\{\{\s*[^\s{}]+\s*\}\}|[^\s{,]+/y;
/** Matchers of one fingerprint rule. */
const MATCHERS_MAX = 20;
/** Entries of one fingerprint. */
const ENTRIES_MAX = 64;

/** Reads one line, or throws a `RuleSyntaxError`. */
export function parseFingerprintRule(line: string): FingerprintRule {
  const reader = new RuleReader(line);
  reader.skipSpace();
  const matchers = readMatchers(reader);
  reader.skipSpace();
  reader.expect('->', 'Add "->" and a fingerprint after the matchers');
  return { matchers, ...readFingerprint(reader) };
}

function readMatchers(reader: RuleReader): readonly FingerprintMatcher[] {
  const matchers: FingerprintMatcher[] = [];
  if (reader.take('[')) {
    matchers.push(readBracketed(reader, 'caller'));
    reader.skipSpace();
    reader.expect('|', 'Expected "|" after the caller');
  }
  const around = matchers.length;
  for (;;) {
    reader.skipSpace();
    const start = reader.at;
    const matcher = readMatcher(reader, 'own');
    if (matcher === null) break;
    if (matchers.length >= MATCHERS_MAX)
      reader.refuse(`A rule can have at most ${MATCHERS_MAX} matchers`, start);
    matchers.push(matcher);
  }
  if (matchers.length === around)
    reader.refuse('A rule must start with a matcher, such as error.type:Timeout*');
  if (reader.take('|')) {
    reader.skipSpace();
    reader.expect('[', 'Expected the callee in brackets after "|"');
    matchers.push(readBracketed(reader, 'callee'));
  }
  return matchers;
}

function readBracketed(reader: RuleReader, frame: 'caller' | 'callee'): FingerprintMatcher {
  reader.skipSpace();
  const start = reader.at;
  const matcher = readMatcher(reader, frame);
  if (matcher === null) reader.refuse('Expected one matcher inside the brackets, such as function:main');
  if (groupOf(matcher.key) !== 'frame')
    reader.refuse('Only frame matchers can be used inside brackets', start);
  reader.skipSpace();
  reader.expect(']', 'Expected a space and "]" here');
  return matcher;
}

/** null, and nothing read, when what follows is no matcher. */
function readMatcher(reader: RuleReader, frame: FingerprintMatcher['frame']): FingerprintMatcher | null {
  const begun = readMatcherName(reader);
  if (begun === null) return null;
  const { name, nameStart, isNegated } = begun;
  const key = fingerprintKey(name);
  if (key === null) reader.refuse(`Unknown matcher "${name}"`, nameStart);
  const patternStart = reader.at;
  const pattern = reader.quoted() ?? reader.match(UNQUOTED);
  if (pattern === null) reader.refuse(`Expected a value to match after "${name}:"`);
  const problem = patternProblem(key, pattern);
  if (problem !== null) reader.refuse(problem, patternStart);
  return { key, pattern, isNegated, frame };
}

function readFingerprint(reader: RuleReader): Pick<FingerprintRule, 'fingerprint' | 'title'> {
  const fingerprint: string[] = [];
  let title: string | null = null;
  let read = 0;
  for (reader.skipSpace(); !reader.isAtEnd; reader.skipSpace()) {
    read += 1;
    if (read > ENTRIES_MAX) reader.refuse(`A fingerprint can have at most ${ENTRIES_MAX} entries`);
    const start = reader.at;
    const attribute = reader.match(ATTRIBUTE);
    if (attribute !== null) {
      if (attribute !== 'title=') reader.refuse('The only supported attribute is title="…"', start);
      title = reader.quoted();
    } else {
      const entry = reader.quoted() ?? reader.match(ENTRY);
      if (entry === null) reader.refuse('Write variables as {{ name }}; put other braces in quotes');
      fingerprint.push(isDefaultEntry(entry) ? DEFAULT_ENTRY : entry);
    }
    reader.skipSpace();
    reader.take(',');
  }
  if (read === 0) reader.refuse('Expected a fingerprint after "->"');
  return { fingerprint, title };
}
