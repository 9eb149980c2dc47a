import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCOPES } from '#protocol/scopes.ts';
import { OFFERED_SCOPES, SCOPE_LABELS, tokenCommand } from './offered-scopes.ts';

/** Where scopes are named without anything being asked for. */
const TABLES: ReadonlySet<string> = new Set([
  'product/permissions.ts',
  'app/account/(pages)/tokens/offered-scopes.ts',
]);

const root = join(import.meta.dirname, '../../../..');
const code = globSync('{app,product,cli}/**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$/.test(path) && !TABLES.has(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
const isAsked = (scope: string) => code.includes(`'${scope}'`);

test.each(SCOPES)('%s has words exactly when something asks for it', (scope) => {
  expect(SCOPE_LABELS[scope] !== null).toBe(isAsked(scope));
});

test('what is offered is short enough for a line', () => {
  expect(OFFERED_SCOPES.length).toBeGreaterThan(10);
  for (const { scope, words } of OFFERED_SCOPES) expect(words, scope).toMatch(/^\S.{8,60}\S$/);
});

const made = { publicUrl: 'https://errors.example', organizationSlug: 'acme', token: 'abc' };

test('reads the issues of the organization at the address of this instance', () => {
  expect(tokenCommand({ ...made, scopes: ['org:read', 'event:write'] })).toBe(
    "curl -H 'Authorization: Bearer abc' 'https://errors.example/api/0/organizations/acme/issues/?query=is:unresolved'",
  );
});

test('asks who it is when it may not read issues', () => {
  expect(tokenCommand({ ...made, scopes: ['project:read'] })).toBe(
    "curl -H 'Authorization: Bearer abc' 'https://errors.example/api/0/'",
  );
});
