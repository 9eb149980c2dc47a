import { expect, test } from 'vitest';
import { readComment } from './read-comment.ts';

const read = (data: Record<string, unknown>) => readComment({ id: 1, data });

test('the text is cut where it names somebody', () => {
  const mentions = [
    { start: 0, end: 4, userId: 'ana' },
    { start: 9, end: 13, teamId: 1 },
  ];
  expect(read({ text: '@ana and #web!', mentions, editedAt: 1 })).toEqual({
    id: 1,
    text: '@ana and #web!',
    parts: [
      { text: '@ana', isMention: true },
      { text: ' and ', isMention: false },
      { text: '#web', isMention: true },
      { text: '!', isMention: false },
    ],
    isEdited: true,
  });
});

test.each([
  [{ text: 'plain' }, [{ text: 'plain', isMention: false }]],
  [{ text: 'short', mentions: [{ start: 2, end: 99 }] }, [{ text: 'short', isMention: false }]],
  [{ text: 'short', mentions: 'none' }, [{ text: 'short', isMention: false }]],
  [{}, []],
])('%o', (data, parts) => {
  expect(read(data).parts).toEqual(parts);
});
