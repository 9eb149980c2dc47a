import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { parameterize } from './parameterize.ts';

test.each([
  ['', ''],
  ['nothing varies here', 'nothing varies here'],
  ['user ada.l@mail.example.com, bye', 'user <email>, bye'],
  ['mail <ada+x@localhost>', 'mail <<email>>'],
  ['éada@example.com', 'é<email>'],
  ['GET https://h.example:80/a?b=1#c failed', 'GET <url> failed'],
  ['wss://h.example/socket', '<url>'],
  ['no host in api.internal or file.c', 'no host in api.internal or file.c'],
  ['host cache-1.prod.example.com:80', 'host <hostname>:<int>'],
  ['HOST EXAMPLE.ORG', 'HOST <hostname>'],
  ['Example.Org', 'Example.Org'],
  ['00-0123456789abcdef0123456789abcdef-0123456789abcdef-01', '<traceparent>'],
  ['job 0b7d3c55-1fa8-4c0e-9d33-6a2b1c4d5e6f.', 'job <uuid>.'],
  ['da39a3ee5e6b4b0d3255bfef95601890afd80709', '<sha1>'],
  ['d41d8cd98f00b204e9800998ecf8427e', '<md5>'],
  ['took 12ms, then 1.5s, or 3s', 'took <duration>, then <duration>, or <duration>'],
  ['took 12msec and 3sec', 'took <duration>ec and 3sec'],
  ['tx0123456789abcdef01234-0123456789-eu1 failed', '<swift_txn_id> failed'],
  ['at 0xDEADbeef', 'at <hex>'],
  ['abcdef and facade', 'abcdef and facade'],
  ['1a2b, 1A2B, 1a2B', '<hex>, <hex>, 1a2B'],
  ['deadbeef', '<hex>'],
  ['12345678 and 1234567', '<hex> and <int>'],
  ['1a2b3c4', '<git_sha>'],
  ['1A2B3C4', '1A2B3C4'],
  ['ratio -0.25 of 1.5', 'ratio <float> of <float>'],
  ['version 1.2.3', 'version <float>.<int>'],
  ['-17 and a-17 and (-17)', '<int> and a-<int> and (<int>)'],
  ['-deadbeef', '<hex>'],
  ['utf8 and h264 and item_17', 'utf8 and h264 and item_17'],
  [`a='x y' b="z" 'c'`, `a=<quoted_str> b=<quoted_str> 'c'`],
  [`a='' b="`, `a='' b="`],
  ['on=true off=False truth=Truely true', 'on=<bool> off=<bool> truth=<bool>ly true'],
  ['größe5 und 5größe', 'größe5 und 5größe'],
])('%j → %j', (message, expected) => {
  expect(parameterize(message)).toBe(expected);
});

describe('dates', () => {
  test.each([
    ['2031-07-09T08:07:06'],
    ['2031-07-09T08:07:06.123456789+02:00'],
    ['2031-07-09 08:07'],
    ['20310709T0807Z'],
    ['2031-07-09'],
    ['Wed, 09 Jul 2031 08:07:06 GMT'],
    ['Wednesday, 09-Jul-31 08:07:06 UT'],
    ['Wed Jul 09, 2031'],
    ['Jul 09, 2031'],
    ['Wed Jul 09 2031 08:07:06 GMT+0200 (Central European Summer Time)'],
    ['Wed Jul  9 08:07:06 2031'],
    ['9 Jul 2031 08:07 +0200'],
    ['8:07'],
    ['08:07:06'],
    ['8:07 pm'],
    ['datetime.datetime(2031, 7, 9, 8, 7, tzinfo=None)'],
  ])('%s', (date) => {
    expect(parameterize(`at ${date}, failed`)).toBe('at <date>, failed');
  });

  test.each([
    ['2031-27-09', '<int>-<int>-<int>'],
    ['25:07', '<int>:<int>'],
    ['8:07:99', '<int>:<int>:<int>'],
    ['Mon and Jul', 'Mon and Jul'],
    ['v2031-07-09', 'v<date>'],
  ])('%s is %s', (text, expected) => {
    expect(parameterize(text)).toBe(expected);
  });
});

describe('IP addresses', () => {
  test.each([
    ['192.0.2.17'],
    ['192.0.2.0/24'],
    ['2001:db8::17'],
    ['2001:db8::/32'],
    ['::1'],
    ['::'],
    ['fe80::1%eth0'],
    ['::ffff:192.0.2.17'],
    ['2001:db8:0:0:0:0:0:17'],
  ])('%s', (address) => {
    expect(parameterize(`from ${address} today`)).toBe('from <ip> today');
    expect(parameterize(`(${address})`)).toBe('(<ip>)');
  });

  test.each([
    ['192.0.2.17:8080', '<ip>:<int>'],
    ['192.0.2.17/08:15', '<ip>/<date>'],
    ['192.0.2.0/33', '<ip>/<int>'],
    ['to 192.0.2.0/24.', 'to <ip>.'],
    ['from 2001:db8::17: refused', 'from <ip>: refused'],
    ['from 2001:db8::17.', 'from <ip>.'],
    ['256.0.2.17', '<float>.<float>'],
    ['192.0.2.017', '<float>.<float>'],
    ['Shop::pay()', 'Shop::pay()'],
    ['fade::cafe_x', 'fade::cafe_x'],
    ['1:2:3', '<int>:<int>:<int>'],
    [':::1', ':::<int>'],
  ])('%s is %s', (text, expected) => {
    expect(parameterize(text)).toBe(expected);
  });
});

const PIECES = [
  ...['a', '1', 'f', '-', '.', ':', '::', '/', '@', '=', "'", '"', '%', ' ', '\n', '_', 'é', '😀', '\ud800'],
  ...[
    'Mon',
    'Jan ',
    'datetime.datetime(',
    'true',
    '0x',
    'https://',
    '.com',
    '2031-07-09',
    '08:07',
    'ms',
    's',
  ],
];

test('any text gives a text, in which only kinds are new', () => {
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (message) => {
      const kept = parameterize(message).split(/<[a-z0-9_]+>/);
      let from = 0;
      for (const part of kept) {
        const found = message.indexOf(part, from);
        expect(found).toBeGreaterThanOrEqual(from);
        from = found + part.length;
      }
    }),
  );
});

test.each([
  ...PIECES,
  ...['a-', 'a.', 'a@', '1.', '1-', "='", '="', '=\'a="', 'Mon Jan 02 2006 14:04:05 GMT+0000 (', '-1', 'ab:'],
])('a long run of %j takes no longer than its length is worth', (unit) => {
  const message = unit.repeat(Math.ceil(100_000 / unit.length));
  withinMs(1_000, () => parameterize(message));
});
