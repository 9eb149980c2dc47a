import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { OWNERSHIP_TEXT_CHARACTERS_MAX } from '#pipeline/ownership/parse-ownership-rules.ts';
import { checkOwnership } from './ownership.ts';
import { makeOwnerDirectory } from './resolve-owner.ts';

const DIRECTORY = makeOwnerDirectory(
  [{ id: 'u1', name: 'Ana Lee', email: 'Ana@example.com' }],
  [{ id: 1, slug: 'web', name: 'Web' }],
);

const TOO_LONG = [{ line: 1, column: 1, message: expect.stringContaining('100000 characters') }];

test('a text that is too long is said to be, and not read', () => {
  const long = '[ nobody@example.com\n'.repeat(OWNERSHIP_TEXT_CHARACTERS_MAX / 20);
  expect(checkOwnership({ rules: long, codeowners: '' }, DIRECTORY)).toEqual({
    rules: TOO_LONG,
    codeowners: [],
    unknownCodeowners: [],
  });
  expect(checkOwnership({ rules: '', codeowners: long }, DIRECTORY)).toEqual({
    rules: [],
    codeowners: TOO_LONG,
    unknownCodeowners: [],
  });
});

test('every line that cannot be read or names nobody is said, in their order', () => {
  const rules = 'a #web ana@example.com\nb #nothing\n[ #web\nc b@example.com';
  const { rules: problems } = checkOwnership({ rules, codeowners: '' }, DIRECTORY);
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4]);
  const codeowners = '* @ana @AnaLee @acme/web\n/x @nobody';
  const check = checkOwnership({ rules: '', codeowners }, DIRECTORY);
  expect(check.codeowners).toEqual([]);
  expect(check.unknownCodeowners).toMatchObject([{ line: 2 }]);
});

test('as many owners as rules can name are looked up at once in a large organization', () => {
  const members = Array.from({ length: 5_000 }, (_, index) => ({
    id: `u${index}`,
    name: `Person ${index}`,
    email: `p${index}@example.com`,
  }));
  const line = Array.from({ length: 20 }, () => '@q').join(' ');
  const codeowners = `* ${line}\n`.repeat(1_400);
  const directory = makeOwnerDirectory(members, []);
  const checked = withinMs(2_000, () => checkOwnership({ rules: '', codeowners }, directory));
  expect(checked.unknownCodeowners.length).toBeGreaterThan(20_000);
});
