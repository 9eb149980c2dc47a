import { expect, it } from 'vitest';
import { problemLink } from './problem-link.ts';

const PLACE = { organizationSlug: 'acme', projectSlug: 'web', release: 'team/web@1.0.0' };
const SETTINGS = '/acme/settings/projects/web/source-maps';

it('leads to where the next step is done', () => {
  expect(problemLink({ reason: 'no_debug_id_and_no_release' }, PLACE)?.href).toBe(`${SETTINGS}/how-to`);
  expect(problemLink({ reason: 'mapping_not_uploaded', debugId: 'x' }, PLACE)?.href).toBe(
    `${SETTINGS}/mappings`,
  );
  expect(problemLink({ reason: 'line_out_of_range', file: 'a.js', line: 9 }, PLACE)?.href).toBe(
    '/acme/releases/team/web@1.0.0?project=web&tab=artifacts',
  );
});

it('leads to the uploads of the project when the event names no release', () => {
  const problem = { reason: 'line_out_of_range', file: 'a.js', line: 9 } as const;
  expect(problemLink(problem, { ...PLACE, release: null })?.href).toBe(SETTINGS);
});

it('leads nowhere when nothing helps', () => {
  expect(problemLink({ reason: 'no_position' }, PLACE)).toBeNull();
});
