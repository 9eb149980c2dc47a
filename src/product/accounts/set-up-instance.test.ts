import { expect, test } from 'vitest';
import { findSetUpProblems } from './set-up-instance.ts';

const GOOD = {
  name: 'Ada',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
  organizationName: 'Acme',
  organizationSlug: 'acme',
  projectSlug: 'web-shop',
  platform: 'node',
};

test('nothing is wrong with what is right; a project needs no name beside its slug', async () => {
  expect(await findSetUpProblems(GOOD)).toEqual({});
});

test('everything that is wrong is told at once, in the order of the form', async () => {
  const problems = await findSetUpProblems({
    name: ' ',
    email: 'nonsense',
    password: 'short',
    organizationName: 'x'.repeat(101),
    organizationSlug: 'login',
    projectName: 'x'.repeat(201),
    projectSlug: 'My Project',
    platform: 'x'.repeat(1_000),
  });
  expect(Object.keys(problems)).toEqual([
    'name',
    'email',
    'password',
    'organizationName',
    'organizationSlug',
    'projectName',
    'projectSlug',
    'platform',
  ]);
});

test.each([
  ['the address', 'ada@example.com'],
  ['the name', 'Countess Ada 1815'],
  ['the organization', 'lovelace-engines'],
])('a password that is %s is refused', async (_, password) => {
  const problems = await findSetUpProblems({
    ...GOOD,
    name: 'Countess Ada',
    organizationName: 'Lovelace Engines',
    password,
  });
  expect(problems).toEqual({ password: expect.stringContaining('your email address, your name') });
});
