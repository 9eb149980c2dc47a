import { describe, expect, test } from 'vitest';
import { matchSelector, type PathStack, type Pii } from './match-selector.ts';
import { parseSelector, type Selector } from './parse-selector.ts';
import { VALUE_TYPE } from './value-types.ts';

const { array, event, number, object, string, user } = VALUE_TYPE;

function selector(text: string): Selector {
  const result = parseSelector(text);
  if (!result.ok) throw new Error(`${text}: ${result.problem.message}`);
  return result.selector;
}

/** `user.extra.foo.0` of an event, as in the reference's own tests; cut to the number of names. */
function place(names: number): PathStack {
  const keys = ['', 'user', 'extra', 'foo', 0];
  const types = [event, user, object, array, number];
  return { keys: keys.slice(0, names + 1), types: types.slice(0, names + 1), length: names + 1 };
}

describe('selectors', () => {
  test.each<[string, number, Pii, boolean]>([
    ['user.extra', 2, 'true', true],
    ['user.extra', 2, 'maybe', true],
    ['$user.extra', 2, 'maybe', true],
    ['(** || user.*) && !(foo.bar.baz || a.b.c)', 2, 'maybe', true],
    ['!(!user.extra)', 2, 'true', true],
    ['$user.extra.*', 3, 'maybe', true],
    ['$user.extra.foo.*', 4, 'maybe', true],
    ['$user.extra.foo.0', 4, 'maybe', true],
    ['$user.extra.foo.**', 4, 'true', true],
    ['$user.extra.**', 4, 'true', true],
    ['$user.**', 4, 'true', true],
    ['$event.**', 4, 'true', true],
    ['$user.**.0', 4, 'true', true],
    ['$user.$object.**.0', 4, 'true', true],
    ['(**.0 | absolutebogus)', 4, 'true', true],
    ['(~$object)', 4, 'true', true],
    ['($object.** & (~absolutebogus))', 4, 'true', true],
    ['$user.extra.foo.1', 4, 'true', false],
    ['$user.extra.bar.**', 4, 'true', false],
    ['$user.**.1', 4, 'true', false],
    ['($object | absolutebogus)', 4, 'true', false],
    ['($object & absolutebogus)', 4, 'true', false],
    ['(~$object.**)', 4, 'true', false],
    ['($object | (**.0 & absolutebogus))', 4, 'true', false],
    ['($array & $object.*)', 3, 'true', true],
    ['(** & $object.*)', 3, 'true', true],
    ['**.$array', 3, 'true', true],
    ['($object & $object.*)', 3, 'true', false],
    ['foo', 3, 'true', true],
    ['FOO', 3, 'true', true],
    ["'foo'", 3, 'true', true],
    ['bar', 3, 'true', false],
    ['**', 3, 'true', true],
    ['**', 3, 'maybe', false],
    ['**', 3, 'false', false],
    ['foo', 3, 'false', false],
    ['!bar', 3, 'true', true],
    ['!bar', 3, 'maybe', true],
    ['!bar', 3, 'named', false],
    ['!bar', 3, 'false', false],
    ['$array', 3, 'maybe', false],
    ['**', 0, 'true', false],
    ['a.user.extra.foo', 3, 'true', false],
    ['$number', 4, 'true', true],
    ['$string', 4, 'true', false],
    ['extra.foo && !$string', 3, 'true', true],
  ])('%s at %d names, pii %s: %s', (text, names, pii, expected) => {
    expect(matchSelector(selector(text), place(names), pii)).toBe(expected);
  });

  test('old names', () => {
    const path: PathStack = { keys: ['', 'x'], types: [event, string], length: 2 };
    expect(matchSelector(selector('freeform'), path, 'true')).toBe(true);
    expect(matchSelector(selector('databag'), path, 'true')).toBe(false);
  });

  test('quotes hold any sign', () => {
    const path: PathStack = {
      keys: ['', 'extra', "my 'special' . key"],
      types: [event, object, string],
      length: 3,
    };
    expect(matchSelector(selector("extra.'my ''special'' . key'"), path, 'true')).toBe(true);
  });
});

describe('selectors that cannot be read', () => {
  test.each<[string, number, RegExp]>([
    ['', 0, /Expected a name at the end/],
    ['* && foo', 0, /alone/],
    ['$frame.**.foo.**', 14, /only once/],
    ['foo.', 4, /Expected a name at the end/],
    ['foo..bar', 4, /Expected a name/],
    ['foo bar', 4, /Unexpected/],
    ['foo &&', 6, /Expected a name at the end/],
    ['(foo', 0, /Unclosed/],
    ['(foo bar)', 5, /Expected "\)"/],
    ['foo)', 3, /Unexpected/],
    ['$nothing.x', 0, /Unknown value type \$nothing/],
    ['extra.$', 6, /Expected a value type after/],
    ["extra.'x", 6, /Unclosed/],
    ["extra.''", 6, /empty/],
    ['!!foo', 1, /one negation/],
    ['extra.my key', 9, /Unexpected/],
    ['extra.ü', 6, /quotes/],
    [`${'('.repeat(30)}a${')'.repeat(30)}`, 20, /deep/],
    ['a.'.repeat(250), 400, /parts/],
    ['a'.repeat(1_001), 1_000, /at most/],
  ])('%s at %d', (text, position, message) => {
    const result = parseSelector(text);
    expect(result).toMatchObject({ ok: false, problem: { position } });
    if (!result.ok) expect(result.problem.message).toMatch(message);
  });
});
