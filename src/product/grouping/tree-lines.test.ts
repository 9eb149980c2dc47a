import { expect, test } from 'vitest';
import { treeLines } from './tree-lines.ts';

test('each part stands before what it holds, and what lies under a part that does not count does not count either', () => {
  const leaf = (value: string, contributes = true) => ({
    id: 'function',
    name: null,
    contributes,
    hint: contributes ? null : 'too generic',
    values: [value],
  });
  const lines = treeLines({
    id: 'stacktrace',
    name: 'stack trace',
    contributes: true,
    hint: null,
    values: [
      { id: 'frame', name: null, contributes: false, hint: 'not in app', values: [leaf('run')] },
      { id: 'frame', name: null, contributes: true, hint: null, values: [leaf('pay'), leaf('call', false)] },
    ],
  });
  expect(lines.map(({ depth, label, value, contributes }) => [depth, label, value, contributes])).toEqual([
    [0, 'stack trace', null, true],
    [1, 'frame', null, false],
    [2, 'function', 'run', false],
    [1, 'frame', null, true],
    [2, 'function', 'pay', true],
    [2, 'function', 'call', false],
  ]);
});
