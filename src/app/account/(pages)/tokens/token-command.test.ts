import { expect, test } from 'vitest';
import { tokenCommand } from './token-command.ts';

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
