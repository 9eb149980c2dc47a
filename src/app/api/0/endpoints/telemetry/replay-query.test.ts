import { expect, test } from 'vitest';
import { parseReplayQuery } from './replay-query.ts';

const NOTHING = { text: '', having: [], durationMsMin: 0 };

test.each([
  ['', NOTHING],
  ['checkout page', { ...NOTHING, text: 'checkout page' }],
  ['https://shop.example/cart', { ...NOTHING, text: 'https://shop.example/cart' }],
  ['user.email:"ada@example.com"', { ...NOTHING, text: 'ada@example.com' }],
  ['url:*cart*', { ...NOTHING, text: 'cart' }],
  [
    'count_errors:>0 count_rage_clicks:>=1 duration:>=60 ada',
    { text: 'ada', having: ['errors', 'rageClicks'], durationMsMin: 60_000 },
  ],
  ['duration:>5', { ...NOTHING, durationMsMin: 5_001 }],
])('%s is read', (query, filter) => {
  expect(parseReplayQuery(query)).toEqual(filter);
});

test.each(['count_errors:3', 'duration:<5', 'click.tag:button', '!user.id:1', 'user.id:1 url:cart'])(
  '%s is refused, since it would answer something else',
  (query) => {
    expect(() => parseReplayQuery(query)).toThrow('cannot be searched here');
  },
);
