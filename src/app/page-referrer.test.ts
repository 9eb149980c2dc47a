import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const APP = import.meta.dirname;
/** They have no forms, and what links they have lead to other sites. */
const WITHOUT_FORMS = [
  'share/dashboard/[token]/page.tsx',
  'share/issue/[token]/page.tsx',
  'status/[slug]/page.tsx',
];

test('every page keeps its address from other sites, and its origin on the forms that a browser sends', () => {
  const told = globSync('**/*.tsx', { cwd: APP }).flatMap((file) =>
    [...readFileSync(join(APP, file), 'utf8').matchAll(/\breferrer: '([^']+)'/g)].map(([, policy]) => [
      file,
      policy,
    ]),
  );
  expect(told.sort()).toEqual([
    ['layout.tsx', 'same-origin'],
    ...WITHOUT_FORMS.map((file) => [file, 'no-referrer']),
  ]);
});
