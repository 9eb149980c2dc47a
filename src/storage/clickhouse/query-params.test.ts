import { expect, test } from 'vitest';
import { listParam } from './query-params.ts';

test('a short list is one parameter, an empty one too', () => {
  expect(listParam('ids', 'UInt64', [1, 2])).toEqual({
    sql: '{ids0:Array(UInt64)}',
    params: { ids0: [1, 2] },
  });
  expect(listParam('ids', 'UInt64', [])).toEqual({ sql: '{ids0:Array(UInt64)}', params: { ids0: [] } });
});

test('a long list is spread over parameters and loses nothing', () => {
  const values = Array.from({ length: 2_001 }, (_, index) => index);
  const { sql, params } = listParam('ids', 'UInt64', values);
  expect(sql).toBe('arrayConcat({ids0:Array(UInt64)}, {ids1:Array(UInt64)}, {ids2:Array(UInt64)})');
  expect(Object.values(params).flat()).toEqual(values);
});
