import { compileRuleGlob } from '#pipeline/patterns/rule-glob.ts';
import { parseFamilies, parseRuleBoolean, RuleReader, readMatcherName } from '../rule-text/rule-reader.ts';
import type { MatcherKey, RuleAction, RuleMatcher, StackTraceRule } from './rule-types.ts';

const KEYS: Readonly<Record<string, MatcherKey>> = {
  'stack.function': 'function',
  'stack.module': 'module',
  'stack.package': 'package',
  'stack.abs_path': 'path',
  'error.type': 'type',
  'error.value': 'value',
  'error.mechanism': 'mechanism',
  function: 'function',
  module: 'module',
  package: 'package',
  path: 'path',
  type: 'type',
  value: 'value',
  mechanism: 'mechanism',
  category: 'category',
  family: 'family',
  app: 'app',
};

const IDENTIFIER = /[a-zA-Z0-9_.-]+/y;
const UNQUOTED = /[^\s]+/y;
const FLAG_ACTION = /([v^]?)([+-])(app|group)(?![a-zA-Z0-9_.-])/y;
const VARIABLE = /(max-frames|min-frames|invert-stacktrace|category)\s*=\s*/y;
/** Largest value of `max-frames` and `min-frames`. */
const FRAMES_MAX = 1_000_000;
/** Matchers of one stack trace rule. */
const MATCHERS_MAX = 20;
/** Actions of one stack trace rule. */
const ACTIONS_MAX = 20;

/** Reads one line, or throws a `RuleSyntaxError`. */
export function parseStackTraceRule(line: string): StackTraceRule {
  const reader = new RuleReader(line);
  reader.skipSpace();
  const caller = readCaller(reader);
  const own = readOwnMatchers(reader);
  const callee = readCallee(reader);
  const actions = readActions(reader);
  return { caller, own, callee, actions };
}

function readCaller(reader: RuleReader): RuleMatcher | null {
  if (!reader.take('[')) return null;
  const matcher = readBracketed(reader);
  reader.skipSpace();
  reader.expect('|', 'Expected "|" after the caller');
  return matcher;
}

function readCallee(reader: RuleReader): RuleMatcher | null {
  reader.skipSpace();
  if (!reader.take('|')) return null;
  reader.skipSpace();
  reader.expect('[', 'Expected the callee in brackets after "|"');
  return readBracketed(reader);
}

function readBracketed(reader: RuleReader): RuleMatcher {
  reader.skipSpace();
  const matcher = readMatcher(reader);
  if (matcher === null) reader.refuse('Expected one matcher inside the brackets, such as function:main');
  reader.skipSpace();
  reader.expect(']', 'Expected a space and "]" here');
  return matcher;
}

function readOwnMatchers(reader: RuleReader): readonly RuleMatcher[] {
  const matchers: RuleMatcher[] = [];
  for (;;) {
    reader.skipSpace();
    const start = reader.at;
    const matcher = readMatcher(reader);
    if (matcher === null) break;
    if (matchers.length >= MATCHERS_MAX)
      reader.refuse(`A rule can have at most ${MATCHERS_MAX} matchers`, start);
    matchers.push(matcher);
  }
  if (matchers.length === 0) reader.refuse('A rule must start with a matcher, such as function:main');
  return matchers;
}

/** null, and nothing read, when what follows is no matcher. */
function readMatcher(reader: RuleReader): RuleMatcher | null {
  const begun = readMatcherName(reader);
  if (begun === null) return null;
  const { name, nameStart, isNegated } = begun;
  const key = KEYS[name];
  if (key === undefined) reader.refuse(`Unknown matcher "${name}"`, nameStart);
  const patternStart = reader.at;
  const pattern = reader.quoted() ?? reader.match(UNQUOTED);
  if (pattern === null) reader.refuse(`Expected a value to match after "${name}:"`);
  checkPattern(reader, key, pattern, patternStart);
  return { key, pattern, isNegated };
}

function checkPattern(reader: RuleReader, key: MatcherKey, pattern: string, at: number): void {
  if (key === 'family') {
    if (parseFamilies(pattern) === null) {
      reader.refuse('family must be native, javascript, other, or all', at);
    }
  } else if (key === 'app') {
    if (parseRuleBoolean(pattern) === null) reader.refuse('app: must be yes or no', at);
  } else {
    const { problem } = compileRuleGlob(pattern, { isPath: key === 'path' || key === 'package' });
    if (problem !== null) reader.refuse(problem, at);
  }
}

function readActions(reader: RuleReader): readonly RuleAction[] {
  const actions: RuleAction[] = [];
  while (!reader.isAtRest) {
    if (actions.length >= ACTIONS_MAX) reader.refuse(`A rule can have at most ${ACTIONS_MAX} actions`);
    actions.push(readAction(reader));
  }
  if (actions.length === 0) reader.refuse('A rule must end with an action, such as -app or +group');
  return actions;
}

function readAction(reader: RuleReader): RuleAction {
  FLAG_ACTION.lastIndex = reader.at;
  const flag = FLAG_ACTION.exec(reader.text);
  if (flag !== null) {
    reader.at += flag[0].length;
    const range = flag[1] === '^' ? 'up' : flag[1] === 'v' ? 'down' : null;
    return { kind: flag[3] as 'app' | 'group', value: flag[2] === '+', range };
  }
  VARIABLE.lastIndex = reader.at;
  const variable = VARIABLE.exec(reader.text);
  if (variable === null) reader.refuse('This is neither a matcher nor an action');
  reader.at += variable[0].length;
  return readVariable(reader, variable[1] as string);
}

function readVariable(reader: RuleReader, name: string): RuleAction {
  const start = reader.at;
  const value = reader.match(IDENTIFIER);
  if (value === null) reader.refuse(`Expected a value after "${name}="`);
  switch (name) {
    case 'category':
      return { kind: 'category', value };
    case 'invert-stacktrace': {
      const isInverted = parseRuleBoolean(value);
      if (isInverted === null) reader.refuse(`${name} must be yes or no`, start);
      return { kind: 'invert-stacktrace', value: isInverted };
    }
    default: {
      const count = Number(value);
      if (!/^\d+$/.test(value) || count > FRAMES_MAX) reader.refuse(`${name} must be a number`, start);
      return { kind: name === 'max-frames' ? 'max-frames' : 'min-frames', value: count };
    }
  }
}
