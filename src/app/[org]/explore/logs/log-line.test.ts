import { expect, test } from 'vitest';
import { LINES_MAX, type LogLine, lineFields, toLogLine, withNewLines } from './log-line.ts';

const line = (id: string, atMs: number): LogLine => ({
  id,
  atMs,
  projectSlug: 'web',
  level: 'info',
  body: id,
  traceId: null,
  spanId: null,
  more: [],
});

test('new lines are put in by their time, and none is there twice', () => {
  const lines = [line('a', 1), line('c', 3)];
  const all = withNewLines(lines, [line('c', 3), line('b', 2), line('d', 4)]);
  expect(all.map(({ id }) => id).join('')).toBe('abcd');
  expect(withNewLines(lines, [line('a', 1)])).toBe(lines);
});

test('the oldest go once there are too many', () => {
  const many = Array.from({ length: LINES_MAX }, (_, index) => line(`l${index}`, index));
  const all = withNewLines(many, [line('last', LINES_MAX)]);
  expect([all.length, all[0]?.id, all.at(-1)?.id]).toEqual([LINES_MAX, 'l1', 'last']);
});

test('a row is a line with its columns', () => {
  const fields = lineFields(['timestamp', 'severity', 'message', 'order']);
  const row = {
    id: 'x',
    projectId: 1,
    projectSlug: 'web',
    shortId: null,
    traceId: null,
    spanId: null,
    occurredAtUs: 5_000,
  };
  expect(toLogLine({ ...row, values: ['error', 'Paid', '17'] }, fields)).toMatchObject({
    level: 'error',
    body: 'Paid',
    atMs: 5,
    more: [{ name: 'order', value: '17' }],
  });
  expect(toLogLine({ ...row, values: ['odd', '', ''] }, fields).level).toBe('info');
});
