import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileIpRanges, parseIpRange } from './ip-ranges.ts';

test.each([
  '',
  '1.2.3',
  '1.2.3.4/',
  '1.2.3.4/33',
  '::/129',
  '1.2.3.4/8/8',
  'lol/bar',
  '1.2.3.4/-1',
  '1.2.3.4/+8',
])('%j is no range', (text) => {
  expect(parseIpRange(text)).toBeNull();
});

test('without a range that can be read there is nothing to ask', () => {
  expect(compileIpRanges([])).toBeNull();
  expect(compileIpRanges(['nothing'])).toBeNull();
});

test.each([
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:200/120', true],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['::', '::/0', true],
  ['10.0.0.1', '::/0', false],
  ['::1', '0.0.0.0/0', false],
  ['1::', '1::/128', true],
  ['no address', '0.0.0.0/0', false],
])('%s in %s: %s', (ip, range, isIn) => {
  expect(compileIpRanges([range])?.(ip)).toBe(isIn);
});

test('agrees with the runtime on any address and range of one family', () => {
  const pair = fc.oneof(
    fc.tuple(fc.ipV4(), fc.ipV4(), fc.integer({ min: 1, max: 32 })),
    fc.tuple(fc.ipV6(), fc.ipV6(), fc.integer({ min: 1, max: 128 })),
  );
  fc.assert(
    fc.property(pair, fc.boolean(), ([sent, network, prefix], isNear) => {
      const ip = isNear ? network : sent;
      // Of an IPv6 address that holds an IPv4 one, the family that counts is IPv4.
      fc.pre(!ip.toLowerCase().startsWith('::ffff:'));
      const family = isIP(ip) === 4 ? 'ipv4' : 'ipv6';
      const list = new BlockList();
      list.addSubnet(network, prefix, family);
      expect(compileIpRanges([`${network}/${prefix}`])?.(ip)).toBe(list.check(ip, family));
    }),
    { numRuns: 2_000 },
  );
});
