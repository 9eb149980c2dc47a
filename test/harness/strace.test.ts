import { expect, test } from 'vitest';
import { parseTrace } from './strace.ts';

test('a call that another thread interrupts ends where it is resumed', () => {
  const trace = [
    '10 pwrite64(22</spool.mdb>, "abc", 3, 0) = 3',
    '10 fdatasync(22</spool.mdb> <unfinished ...>',
    '11 write(30<socket:[1]>, "HTTP/1.1 200", 12) = 12',
    '10 <... fdatasync resumed>) = 0',
  ].join('\n');
  expect(parseTrace(trace).map(({ name, startedAt, endedAt }) => [name, startedAt, endedAt])).toEqual([
    ['pwrite64', 0, 0],
    ['fdatasync', 1, 3],
    ['write', 2, 2],
  ]);
});
