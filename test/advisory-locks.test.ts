import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../src');
/** Advisory locks of PostgreSQL are numbers of the whole database. */
const LOCK = /\bconst (\w*LOCK\w*) = (7_270_\d{3});/g;

test('no two advisory locks have the same number', () => {
  const locks = globSync('**/*.ts', { cwd: SRC }).flatMap((file) =>
    [...readFileSync(path.join(SRC, file), 'utf8').matchAll(LOCK)].map(([, name, number]) => ({
      name: `${file}: ${name}`,
      number,
    })),
  );
  expect(locks.length).toBeGreaterThan(4);
  // A class in the upper half of a number meets none of the others.
  const whole = locks.filter(({ name }) => !name.endsWith('LOCK_CLASS'));
  const doubled = whole.filter(({ number }, index) =>
    whole.some((other, at) => at !== index && other.number === number),
  );
  expect(doubled).toEqual([]);
});
