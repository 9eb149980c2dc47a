import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCOPES } from '#protocol/scopes.ts';
import { OFFERED_SCOPES, SCOPE_WORDS } from './scope-words.ts';

/** Where scopes are named without anything being asked for. */
const TABLES: ReadonlySet<string> = new Set([
  'product/permissions.ts',
  'app/account/(pages)/tokens/scope-words.ts',
]);

const root = join(import.meta.dirname, '../../../..');
const code = globSync('{app,product,cli}/**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$/.test(path) && !TABLES.has(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
const isAsked = (scope: string) => code.includes(`'${scope}'`);

test.each(SCOPES)('%s has words exactly when something asks for it', (scope) => {
  expect(SCOPE_WORDS[scope] !== null).toBe(isAsked(scope));
});

test('what is offered is short enough for a line', () => {
  expect(OFFERED_SCOPES.length).toBeGreaterThan(10);
  for (const { scope, words } of OFFERED_SCOPES) expect(words, scope).toMatch(/^\S.{8,60}\S$/);
});
