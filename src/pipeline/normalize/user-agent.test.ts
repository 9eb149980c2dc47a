import { expect, test } from 'vitest';
import { parseUserAgent } from './user-agent.ts';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    { browser: { name: 'Chrome', version: '120.0.0' }, os: { name: 'Windows', version: '10' }, device: null },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Mobile/15E148 Safari/604.1',
    {
      browser: { name: 'Safari', version: '17.2' },
      os: { name: 'iOS', version: '17.2' },
      device: { family: 'iPhone', model: 'iPhone', brand: 'Apple' },
    },
  ],
  [
    'Mozilla/5.0 (Linux; Android 13; Pixel 7 Build/TQ2A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    { os: { name: 'Android', version: '13' }, device: { family: 'Pixel 7', model: 'Pixel 7' } },
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    { device: { family: 'Generic Smartphone' } },
  ],
  ['not a browser', { browser: null, os: null, device: null }],
  ['', { browser: null, os: null, device: null }],
])('%s', (text, expected) => {
  expect(parseUserAgent(text)).toMatchObject(expected);
});

test('an agent that was read before is not taken for another', () => {
  const text = (version: number) =>
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
  for (const version of [100, 101, 100, 102, 101]) {
    expect(parseUserAgent(text(version)).browser?.version).toBe(`${version}.0.0`);
  }
});
