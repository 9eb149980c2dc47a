import { expect, test } from 'vitest';
import { checkProjectSlug, RESERVED_PROJECT_SLUGS } from './change-projects.ts';

test.each(['web', 'a', 'my_api-2', '2fast', 'a'.repeat(50)])('%s is a slug', (slug) => {
  expect(() => checkProjectSlug(slug)).not.toThrow();
});

test.each(['', 'Web', '-web', '_web', 'we b', 'web/1', 'wéb', '42', 'a'.repeat(51), 'web\n'])(
  '%j is not a slug',
  (slug) => {
    expect(() => checkProjectSlug(slug)).toThrow(expect.objectContaining({ code: 'invalid', field: 'slug' }));
  },
);

test('no project may take the address of a screen', () => {
  for (const slug of RESERVED_PROJECT_SLUGS) {
    expect(() => checkProjectSlug(slug)).toThrow(/is reserved/);
  }
});
