import { expect, it } from 'vitest';
import { viewersOf } from './people-card.tsx';

const ana = { userId: 'ana', name: 'Ana' };
const bo = { userId: 'bo', name: 'Bo' };
const reader = { kind: 'user', role: 'member', isInstanceOwner: false, ...bo } as const;

it('counts the reader as a viewer from the first look on, and once', () => {
  expect(viewersOf([ana], reader).map(({ name }) => name)).toEqual(['Bo', 'Ana']);
  expect(viewersOf([ana, bo], reader)).toEqual([ana, bo]);
});
