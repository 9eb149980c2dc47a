import { expect, test } from 'vitest';
import { parameterize } from './parameterize.ts';

test.each([
  ['nothing varies here', 'nothing varies here'],
  ['user ada.l@mail.example.com', 'user <email>'],
  ['GET https://h.example:80/a?b=1, retry', 'GET <url>, retry'],
  ['job 7c1811ed-e98f-4c9c-a9f9-58c757ff494f', 'job <uuid>'],
  ['at 2024-02-20T22:16:36.123Z', 'at <date>'],
  ['at Mon, 02 Jan 2006 15:04:05 -0700', 'at <date>'],
  ['from 10.0.0.1:80 to 2001:db8::1', 'from <ip> to <ip>'],
  ['at 0xdeadbeef in a93c7d2', 'at <hex> in <hex>'],
  ['took 17ms', 'took <duration>'],
  [`bad "a b" and 'c'`, 'bad <quoted> and <quoted>'],
  ["can't and won't", "can't and won't"],
  ['open /var/spool/x.eml: no', 'open <path>: no'],
  ['ratio -0.25 of 12', 'ratio <float> of <int>'],
  ['Bee::buzz() of std::vector', 'Bee::buzz() of std::vector'],
  ['utf8 and h264', 'utf8 and h<int>'],
])('%s → %s', (message, expected) => {
  expect(parameterize(message)).toBe(expected);
});

test.each(['a', '1', 'a1', '/', '/a', '"', "'a ", 'a@', 'a.', '::', '1:', '0-', 'Mon ', '0x', 'a://'])(
  'a long run of %s takes no longer than its length is worth',
  (unit) => {
    const message = unit.repeat(100_000);
    const startedAt = performance.now();
    for (let round = 0; round < 5; round += 1) parameterize(message);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  },
);
