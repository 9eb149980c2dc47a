import { expect, it } from 'vitest';
import type { SourceProblem } from '#product/events/source-problem.ts';
import { problemLink, sourceProblemText } from './source-problem-text.ts';

/** One of every reason: the type of the record makes a new reason fail here. */
const EXAMPLES: { [R in SourceProblem['reason']]: Extract<SourceProblem, { reason: R }> } = {
  no_debug_id_and_no_release: { reason: 'no_debug_id_and_no_release' },
  debug_id_not_uploaded: { reason: 'debug_id_not_uploaded', debugId: 'c941d872-af1f-4f0c-a7ff-ad3d295fe153' },
  release_has_no_files: { reason: 'release_has_no_files', release: 'web@2.1.0' },
  file_not_in_release: {
    reason: 'file_not_in_release',
    release: 'web@2.1.0',
    url: 'https://shop.example/assets/app.js',
    nearest: '~/static/app.js',
  },
  other_dist: { reason: 'other_dist', release: 'web@2.1.0', dist: '8', uploadedDists: ['7', null] },
  map_missing: { reason: 'map_missing', file: '~/assets/app.js', mapUrl: 'app.js.map' },
  map_invalid: { reason: 'map_invalid', file: '~/assets/app.js', detail: 'it is no JSON' },
  map_too_large: { reason: 'map_too_large', file: '~/assets/app.js', bytes: 300 * 1024 * 1024 },
  fetch_refused: { reason: 'fetch_refused', url: 'http://10.0.0.1/app.js.map', detail: 'an inside address' },
  not_loaded_in_time: { reason: 'not_loaded_in_time', url: '~/assets/app.js' },
  mapping_not_uploaded: {
    reason: 'mapping_not_uploaded',
    debugId: 'c941d872-af1f-4f0c-a7ff-ad3d295fe153',
  },
  mapping_invalid: {
    reason: 'mapping_invalid',
    debugId: 'c941d872-af1f-4f0c-a7ff-ad3d295fe153',
    detail: 'it is too long',
  },
  debug_file_not_uploaded: { reason: 'debug_file_not_uploaded', debugId: 'd', file: 'shop' },
  debug_file_invalid: { reason: 'debug_file_invalid', debugId: 'd', detail: 'x' },
  address_without_symbol: { reason: 'address_without_symbol', debugId: 'd', file: 'shop' },
  no_position: { reason: 'no_position' },
  line_out_of_range: { reason: 'line_out_of_range', file: '~/assets/app.js', line: 9 },
  column_out_of_range: { reason: 'column_out_of_range', file: '~/assets/app.js', line: 1, column: 88_000 },
  source_content_missing: {
    reason: 'source_content_missing',
    file: '~/assets/app.js',
    source: 'src/cart.ts',
  },
  source_lines_limit: { reason: 'source_lines_limit' },
};
const every = Object.values(EXAMPLES);

it.each(every)('$reason is a sentence with its next step', (problem) => {
  const { short, what, next } = sourceProblemText(problem);
  for (const sentence of [what, next]) expect(sentence).toMatch(/^\S.*\.$/);
  expect(short).toMatch(/^[a-z].*[^.]$/);
  expect(`${short} ${what} ${next}`).not.toMatch(/undefined|null|\[object|NaN/);
});

it('no two reasons say the same', () => {
  expect(new Set(every.map((problem) => sourceProblemText(problem).short)).size).toBe(every.length);
});

it('names what it is about', () => {
  expect(sourceProblemText(EXAMPLES.file_not_in_release).what).toContain('~/static/app.js');
  expect(sourceProblemText({ ...EXAMPLES.file_not_in_release, nearest: null }).what).not.toContain('nearest');
  expect(sourceProblemText(EXAMPLES.other_dist).what).toContain('dist 7, no dist');
  expect(sourceProblemText(EXAMPLES.map_too_large).what).toContain('300 MB');
});

it('shows long and hidden texts of uploads as they are safe to read', () => {
  const { what } = sourceProblemText({
    reason: 'map_missing',
    file: `\u202Egnp.${'x'.repeat(5_000)}`,
    mapUrl: null,
  });
  expect(what).toContain('[U+202E]');
  expect(what.length).toBeLessThan(400);
});

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
