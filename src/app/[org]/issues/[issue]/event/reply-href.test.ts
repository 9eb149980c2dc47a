import { expect, test } from 'vitest';
import { replyHref } from './reply-href.ts';

test('a draft goes to who wrote, with what they wrote', () => {
  expect(replyHref('ana+shop@example.com', 'It is broken.\nAgain & again?')).toBe(
    'mailto:ana%2Bshop@example.com?subject=Re%3A%20Your%20feedback&body=%0D%0A%0D%0A%3E%20It%20is%20broken.%0D%0A%3E%20Again%20%26%20again%3F%0D%0A',
  );
});

test('a long message is cut', () => {
  expect(replyHref('ana@example.com', 'x'.repeat(100_000)).length).toBeLessThan(1_500);
});
