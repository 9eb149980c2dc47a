import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

type Locked = { resolved?: string; integrity?: string; optional?: boolean; os?: string[]; cpu?: string[] };

const lock = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const locked = Object.entries(lock.packages).filter(([name]) => name !== '');

test('every package is locked by its hash; only variants for other platforms may be without one', () => {
  const offenders = locked.filter(([, one]) => !one.integrity?.startsWith('sha512-') && !isVariant(one));
  expect(offenders.map(([name]) => name)).toEqual([]);
});

test('what runs on Linux x64 is never a variant without a hash', () => {
  const offenders = locked.filter(
    ([name, one]) =>
      !one.integrity && one.os?.includes('linux') && one.cpu?.includes('x64') && !name.includes('musl'),
  );
  expect(offenders.map(([name]) => name)).toEqual([]);
});

test('no package names where it was fetched: any registry serves the same hash', () => {
  expect(locked.filter(([, one]) => one.resolved !== undefined).map(([name]) => name)).toEqual([]);
});

function isVariant(one: Locked): boolean {
  return one.optional === true && (one.os !== undefined || one.cpu !== undefined);
}
