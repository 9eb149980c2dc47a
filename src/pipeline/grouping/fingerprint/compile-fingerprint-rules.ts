import { eachRuleLine, quoteText, type RuleProblem } from '../rule-text/rule-reader.ts';
import { compileFingerprintMatcher, type FactTest, patternProblem } from './compile-fingerprint-matcher.ts';
import {
  type FingerprintGroup,
  type FingerprintKey,
  type FingerprintMatcher,
  type FingerprintRule,
  fingerprintKey,
  groupOf,
  type StructuredFingerprintRule,
} from './fingerprint-types.ts';
import { DEFAULT_ENTRY, isDefaultEntry, variableName } from './fingerprint-variables.ts';
import { parseFingerprintRule } from './parse-fingerprint-rule.ts';

/** Rules in the order in which they are tried: the project's, then Errata's own. */
export type CompiledFingerprintRules = readonly ReadyFingerprintRule[];

type ReadyFingerprintRule = Pick<FingerprintRule, 'fingerprint' | 'title'> & {
  /** The rule as a line. */
  text: string;
  isBuiltIn: boolean;
  conditions: readonly ReadyCondition[];
};

/** All that a rule asks of one exception, or frame, or another such thing. */
export type ReadyCondition = { group: FingerprintGroup; tests: readonly ReadyTest[] };

export type ReadyTest = {
  key: FingerprintKey;
  isNegated: boolean;
  frame: FingerprintMatcher['frame'];
  fits: FactTest;
};

/** Fingerprint rules of one project. */
const RULES_MAX = 1_000;

/**
 * Compiles the text of a project's rules, one on each line, and Errata's own after them. `#` begins a comment.
 * Source: https://docs.sentry.io/product/data-management-settings/event-grouping/fingerprint-rules/
 */
export function compileFingerprintRules(text: string): {
  rules: CompiledFingerprintRules;
  problems: readonly RuleProblem[];
} {
  const rules: FingerprintRule[] = [];
  const problems = eachRuleLine(text, RULES_MAX, (line) => {
    rules.push(parseFingerprintRule(line));
  });
  return { rules: withBuiltIns(rules), problems };
}

/** The same from the form of Sentry's API. `line` of a problem is the rule's number. */
export function compileStructuredFingerprintRules(structured: readonly StructuredFingerprintRule[]): {
  rules: CompiledFingerprintRules;
  problems: readonly RuleProblem[];
} {
  const rules: FingerprintRule[] = [];
  const problems: RuleProblem[] = [];
  for (const [index, each] of structured.slice(0, RULES_MAX).entries()) {
    const rule = readStructured(each);
    if ('problem' in rule) problems.push({ line: index + 1, column: 1, message: rule.problem });
    else rules.push(rule);
  }
  return { rules: withBuiltIns(rules), problems };
}

function readStructured(rule: StructuredFingerprintRule): FingerprintRule | { problem: string } {
  const matchers: FingerprintMatcher[] = [];
  for (const [written, pattern] of rule.matchers) {
    const around = /^\[(.*)\]\|$/.exec(written)?.[1];
    const within = /^\|\[(.*)\]$/.exec(written)?.[1];
    const name = around ?? within ?? written;
    const bare = name.replace(/^!+/, '');
    const key = fingerprintKey(bare);
    if (key === null) return { problem: `Unknown matcher "${bare}"` };
    const problem = patternProblem(key, pattern);
    if (problem !== null) return { problem };
    const frame = around !== undefined ? 'caller' : within !== undefined ? 'callee' : 'own';
    matchers.push({ key, pattern, isNegated: bare !== name, frame });
  }
  return {
    matchers,
    fingerprint: rule.fingerprint.map((entry) => (isDefaultEntry(entry) ? DEFAULT_ENTRY : entry)),
    title: rule.attributes?.title ?? null,
  };
}

const ready = (rule: FingerprintRule, isBuiltIn: boolean): ReadyFingerprintRule => ({
  text: printFingerprintRule(rule),
  isBuiltIn,
  conditions: conditionsOf(rule.matchers),
  fingerprint: rule.fingerprint,
  title: rule.title,
});

function conditionsOf(matchers: readonly FingerprintMatcher[]): readonly ReadyCondition[] {
  const groups = new Map<FingerprintGroup, ReadyTest[]>();
  for (const matcher of matchers) {
    const group = groupOf(matcher.key);
    const tests = groups.get(group) ?? [];
    groups.set(group, tests);
    const { key, isNegated, frame } = matcher;
    tests.push({ key, isNegated, frame, fits: compileFingerprintMatcher(matcher) });
  }
  return [...groups].map(([group, tests]) => ({ group, tests }));
}

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

const own = (key: FingerprintMatcher['key'], pattern: string): FingerprintMatcher => ({
  key,
  pattern,
  isNegated: false,
  frame: 'own',
});

const IN_JAVASCRIPT = own('family', 'javascript');

/** A part of an application that could not be loaded has another name in each build. */
const CHUNK_ERROR = 'ChunkLoadError';

/**
 * What React says when the page that it finds is not the one that it would have made. The cause differs from page to
 * page, while the stack is React's own.
 */
const HYDRATION_MESSAGES = [
  'Hydration failed because the initial UI does not match what was rendered on the server.',
  'Text content does not match server-rendered HTML.',
  'The server could not finish this Suspense boundary, likely due to an error during server rendering. Switched to client rendering.',
  'There was an error while hydrating this Suspense boundary. Switched to client rendering.',
  'There was an error while hydrating. Because the error happened outside of a Suspense boundary, the entire root will switch to client rendering.',
];

/** Errata's own rules; those of a project come first. */
const BUILT_IN_FINGERPRINTS: readonly FingerprintRule[] = [
  ...[own('type', CHUNK_ERROR), own('value', `${CHUNK_ERROR}*`)].map((error) => ({
    matchers: [IN_JAVASCRIPT, error],
    fingerprint: ['chunkloaderror'],
    title: null,
  })),
  ...HYDRATION_MESSAGES.map((message) => ({
    matchers: [IN_JAVASCRIPT, own('tags.transaction', '*'), own('message', message)],
    fingerprint: ['hydrationerror', '{{tags.transaction}}'],
    title: null,
  })),
];

const BUILT_INS = BUILT_IN_FINGERPRINTS.map((rule) => ready(rule, true));

const withBuiltIns = (rules: readonly FingerprintRule[]): CompiledFingerprintRules => [
  ...rules.map((rule) => ready(rule, false)),
  ...BUILT_INS,
];
