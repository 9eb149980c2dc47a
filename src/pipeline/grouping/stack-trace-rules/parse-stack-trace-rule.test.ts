import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileStackTraceRules } from './compile-stack-trace-rules.ts';
import { parseStackTraceRule } from './parse-stack-trace-rule.ts';
import { DEFAULT_RULES } from './platform-defaults.ts';
import { printStackTraceRule } from './rule-set.ts';
import type { RuleAction, RuleMatcher, StackTraceRule } from './rule-types.ts';

test('a rule has matchers, perhaps of the frames beside it, and actions', () => {
  const line =
    '[ !category:gl ] | family:native stack.function:"draw *" | [ app:no ] v-group category=gl max-frames = 3 # why';
  expect(parseStackTraceRule(line)).toEqual({
    caller: { key: 'category', pattern: 'gl', isNegated: true },
    own: [
      { key: 'family', pattern: 'native', isNegated: false },
      { key: 'function', pattern: 'draw *', isNegated: false },
    ],
    callee: { key: 'app', pattern: 'no', isNegated: false },
    actions: [
      { kind: 'group', value: false, range: 'down' },
      { kind: 'category', value: 'gl' },
      { kind: 'max-frames', value: 3 },
    ],
  });
});

test.each([
  ['-app', 1, 'must start with a matcher'],
  ['function:main', 14, 'must end with an action'],
  ['colour:red -app', 1, 'Unknown matcher "colour"'],
  ['function:main app:perhaps -app', 19, 'yes or no'],
  ['family:windows -app', 8, 'family must be'],
  ['path:**/[a -app', 6, 'unclosed'],
  ['function:"main -app', 10, 'Unclosed quote'],
  ['function:main -apps', 15, 'neither a matcher nor an action'],
  ['function:main max-frames=many', 26, 'must be a number'],
  ['[function:main]| function:a -app', 18, 'Expected a space and "]"'],
  ['function:a | function:b -app', 14, 'callee in brackets'],
])('%s: at column %i, it %s', (line, column, message) => {
  const { problems, rules } = compileStackTraceRules(`function:ok -app\n\n${line}`);
  expect(problems).toEqual([{ line: 3, column, message: expect.stringContaining(message) }]);
  expect(rules.project?.size).toBe(1);
});

test('comments and empty lines are nothing, lines end as on any system', () => {
  const { problems, rules } = compileStackTraceRules('# a\r\n\r\n  function:a -app\rfunction:b -app\n   # b');
  expect(problems).toEqual([]);
  expect(rules.project?.size).toBe(2);
});

test('too many rules, or too long ones, are refused', () => {
  expect(compileStackTraceRules('function:a -app\n'.repeat(1_001)).problems).toEqual([
    { line: 1_001, column: 1, message: expect.stringContaining('more than 1000') },
  ]);
  expect(compileStackTraceRules(`function:${'a'.repeat(5_000)} -app`).problems).toHaveLength(1);
  expect(compileStackTraceRules('#'.repeat(200_001)).problems).toHaveLength(1);
});

const pattern = fc.oneof(
  fc.stringMatching(/^[\w./:*? "'\n\té-]{1,20}$/),
  fc.constantFrom('a\\*b', 'say "hi"', 'C:\\app\\**', '{a,b}', '[a-z]*', 'x\\y'),
);
const matcher: fc.Arbitrary<RuleMatcher> = fc.oneof(
  fc.record({
    key: fc.constantFrom(
      ...(['function', 'module', 'package', 'path', 'category', 'type', 'value', 'mechanism'] as const),
    ),
    pattern,
    isNegated: fc.boolean(),
  }),
  fc.constantFrom<RuleMatcher>(
    { key: 'family', pattern: 'native,other', isNegated: true },
    { key: 'app', pattern: 'yes', isNegated: false },
  ),
);
const action: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('app' as const, 'group' as const),
    value: fc.boolean(),
    range: fc.constantFrom('up' as const, 'down' as const, null),
  }),
  fc.record({ kind: fc.constant('category' as const), value: fc.stringMatching(/^[a-z][\w.-]{0,10}$/) }),
  fc.record({
    kind: fc.constantFrom('max-frames' as const, 'min-frames' as const),
    value: fc.nat({ max: 1_000 }),
  }),
  fc.record({ kind: fc.constant('invert-stacktrace' as const), value: fc.boolean() }),
);
const rule: fc.Arbitrary<StackTraceRule> = fc.record({
  caller: fc.option(matcher),
  own: fc.array(matcher, { minLength: 1, maxLength: 4 }),
  callee: fc.option(matcher),
  actions: fc.array(action, { minLength: 1, maxLength: 4 }),
});

test('a printed rule reads back as the same rule', () => {
  fc.assert(
    fc.property(rule, (written) => {
      expect(parseStackTraceRule(printStackTraceRule(written))).toEqual(written);
    }),
  );
  for (const written of DEFAULT_RULES) {
    expect(parseStackTraceRule(printStackTraceRule(written))).toEqual(written);
  }
});

test('no text makes compiling throw', () => {
  const signs = fc.array(
    fc.constantFrom(
      'function:',
      'app',
      ':',
      '[',
      ']',
      '|',
      '!',
      '"',
      '\\',
      '+',
      '-',
      '^',
      'v',
      ' ',
      '\n',
      '{',
      '*',
      '#',
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        signs.map((parts) => parts.join('')),
      ),
      (text) => {
        const { problems } = compileStackTraceRules(text);
        for (const { line, column } of problems) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      },
    ),
  );
});
