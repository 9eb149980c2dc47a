import { expect, test } from 'vitest';
import { describeStart } from './serve.ts';

const LOOPBACK = /^Note: only this machine reaches that address\. Set ERRATA_URL/m;
const PLAIN = /^Note: passwords and events travel unencrypted/m;

test('the one-time address of the set-up is the last line', () => {
  const address = 'http://localhost:9000/setup?token=once';
  const lines = describeStart('http://localhost:9000', { kind: 'setup', address }, 3_210).split('\n');
  expect(lines[0]).toBe('Errata is ready: http://localhost:9000');
  expect(lines[1]).toBe('Started in 3.2 s. Ctrl-C stops everything.');
  expect(lines.at(-1)).toBe(`Finish setup here (the link works once): ${address}`);
});

test('so is the DSN, and a clock that was set back counts as no time', () => {
  const text = describeStart('https://errata.example.com', { kind: 'done', dsn: 'https://key@host/1' }, -5);
  expect(text).toContain('Started in 0.0 s.');
  expect(text).toMatch(/\nDSN: https:\/\/key@host\/1$/);
});

test.each([
  ['http://localhost:9000', true, false],
  ['http://[::1]:9000', true, false],
  ['http://errata.lan:9000', false, true],
  ['https://errata.example.com', false, false],
])('%s: reached from here only %s, unencrypted %s', (url, isLocal, isPlain) => {
  const text = describeStart(url, { kind: 'done', dsn: null }, 0);
  expect([LOOPBACK.test(text), PLAIN.test(text)]).toEqual([isLocal, isPlain]);
});
