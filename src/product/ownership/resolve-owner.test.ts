import { expect, test } from 'vitest';
import { compiledOwnership } from './resolve-owner.ts';

const saying = (rules: string) => ({
  rules,
  codeowners: '',
  stackRoot: '',
  sourceRoot: '',
  autoAssign: false,
});

test('the same rules are compiled once, and others by themselves', () => {
  const first = compiledOwnership(saying('a #web'));
  expect(compiledOwnership(saying('a #web'))).toBe(first);
  expect(compiledOwnership(saying('b #web')).rules).toMatchObject([{ pattern: 'b' }]);
});

test('only those used last are remembered', () => {
  const first = compiledOwnership(saying('first #web'));
  const kept = compiledOwnership(saying('kept #web'));
  for (let index = 0; index < 20; index += 1) {
    compiledOwnership(saying(`${index} #web`));
    expect(compiledOwnership(saying('kept #web'))).toBe(kept);
  }
  expect(compiledOwnership(saying('first #web'))).not.toBe(first);
});
