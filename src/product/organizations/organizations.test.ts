import { expect, test } from 'vitest';
import { checkOrganizationSlug } from './organizations.ts';

test.each(['main', 'acme-2', 'a', '3com', 'x'.repeat(50)])('%s is a slug', (slug) => {
  expect(() => checkOrganizationSlug(slug)).not.toThrow();
});

test.each([
  '',
  'Acme',
  '-acme',
  '42',
  'a b',
  'a/b',
  'x'.repeat(51),
  'login',
  'api',
  'i',
  '_next',
  'monitoring',
])('%j is refused', (slug) => {
  expect(() => checkOrganizationSlug(slug)).toThrow(
    expect.objectContaining({ code: 'invalid', field: 'organizationSlug' }),
  );
});
