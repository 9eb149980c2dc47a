import { expect, it } from 'vitest';
import { readSourceProblem } from './source-problem.ts';

it('reads what digest wrote', () => {
  const problem = { reason: 'other_dist', release: 'web@1', dist: null, uploadedDists: ['7', null] };
  expect(readSourceProblem({ data: { source_problem: problem } })).toEqual(problem);
});

it.each([
  undefined,
  null,
  'map_missing',
  { reason: 'constructor' },
  { reason: 'map_missing' },
  { reason: 'map_too_large', file: 'a.js', bytes: '9' },
  { reason: 'release_has_no_files', release: 'x'.repeat(10_000) },
])('passes over what an SDK put there instead: %j', (written) => {
  expect(readSourceProblem({ data: { source_problem: written } })).toBeNull();
});
