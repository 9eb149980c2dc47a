import { expect, test } from 'vitest';
import { ROLES } from '#config.ts';
import { groupRoles } from './group-roles.ts';

test('roles have a process each', () => {
  expect(groupRoles(ROLES, 'standard')).toEqual([['edge'], ['digest'], ['web'], ['jobs']]);
});

test('on a small machine those of the background share one', () => {
  expect(groupRoles(ROLES, 'small')).toEqual([['edge'], ['digest', 'jobs'], ['web']]);
  expect(groupRoles(['edge', 'jobs'], 'small')).toEqual([['edge'], ['jobs']]);
});
