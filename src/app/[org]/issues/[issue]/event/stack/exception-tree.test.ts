import { describe, expect, it } from 'vitest';
import type { ExceptionValue } from '#protocol/event.ts';
import { exceptionTree, hasBranches } from './exception-tree.ts';

const value = (id: number, parent: number | null, more = {}): ExceptionValue => ({
  type: `E${id}`,
  mechanism: { exception_id: id, parent_id: parent, ...more },
});
const shape = (values: readonly ExceptionValue[]) =>
  exceptionTree(values).map(
    ({ index, depth, relation, place }) =>
      `${'  '.repeat(depth)}${values[index]?.type} ${relation}${place ? ` ${place.join('/')}` : ''}`,
  );

describe('exceptions of an event', () => {
  it('without ids are a chain, the last one caught', () => {
    expect(shape([{ type: 'Root' }, { type: 'Middle' }, { type: 'Seen' }])).toEqual([
      'Seen caught',
      '  Middle cause',
      '    Root cause',
    ]);
    expect(hasBranches(exceptionTree([{ type: 'A' }, { type: 'B' }]))).toBe(false);
  });

  it('of a group are its members and its cause, members of members below them', () => {
    const values = [
      value(4, 2, { source: 'exceptions[0]' }),
      value(3, 0, { source: '__cause__' }),
      value(2, 0, { source: 'exceptions[1]', is_exception_group: true }),
      value(1, 0, { source: 'exceptions[0]' }),
      value(0, null, { is_exception_group: true }),
    ];
    expect(shape(values)).toEqual([
      'E0 caught',
      '  E1 member 1/2',
      '  E2 member 2/2',
      '    E4 member 1/1',
      '  E3 cause',
    ]);
    expect(hasBranches(exceptionTree(values))).toBe(true);
  });

  it('with ids that make no tree are all there all the same', () => {
    const circle = [value(1, 2), value(2, 1), value(0, null)];
    expect(exceptionTree(circle).map(({ index }) => index)).toEqual([2, 1, 0]);
    const twice = [value(1, 0), value(1, 0)];
    expect(exceptionTree(twice)).toHaveLength(2);
    const lost = [value(1, 99), value(0, null)];
    expect(exceptionTree(lost).map(({ depth }) => depth)).toEqual([0, 0]);
  });
});
