import { expect, test } from 'vitest';
import { createCallBudget, findForeignAddress } from './guard-request.ts';

const PUBLIC_URL = 'https://errors.example.com:8443';

test.each([
  ['errors.example.com:8443', undefined, true],
  ['errors.example.com:8443', 'https://errors.example.com:8443', true],
  ['errors.example.com:8443', 'https://errors.example.com', false],
  ['errors.example.com:8443', 'null', false],
  ['errors.example.com', undefined, false],
  ['evil.example:8443', undefined, false],
  ['evil.example', 'https://evil.example', false],
  // A name that whoever runs the network gave, and addresses: no page of the internet has one.
  ['errata:9000', undefined, true],
  ['localhost:9000', undefined, true],
  ['app.localhost', undefined, true],
  ['127.0.0.1:9000', undefined, true],
  ['[::1]:9000', undefined, true],
  ['10.0.0.7', undefined, true],
  ['10.0.0.7.evil.example', undefined, false],
  ['localhost.evil.example', undefined, false],
  ['', undefined, false],
])('host %s, origin %s', (host, origin, isAllowed) => {
  const headers = new Headers({ host, ...(origin && { origin }) });
  expect(findForeignAddress(headers, PUBLIC_URL) === null).toBe(isAllowed);
});

test('a token has 120 messages at once, then 2 a second, and others theirs', () => {
  let nowMs = 0;
  const budget = createCallBudget(() => nowMs);
  const take = (token = 'a', messages = 1) => {
    const taken = budget.take(token, messages);
    if ('release' in taken) taken.release();
    return 'release' in taken ? null : taken.retryAfterSeconds;
  };
  for (let taken = 0; taken < 120; taken += 20) expect(take('a', 20)).toBeNull();
  expect(take()).toBe(1);
  expect(take('b')).toBeNull();
  nowMs = 1_000;
  expect([take(), take(), take()]).toEqual([null, null, 1]);
});

test('20 messages of a token are answered at the same time, in however many requests', () => {
  const budget = createCallBudget(() => 0);
  const [first] = [budget.take('a', 19), budget.take('a', 1)];
  expect(budget.take('a', 1)).toEqual({ retryAfterSeconds: 1 });
  expect(budget.take('b', 20)).toHaveProperty('release');
  if (first && 'release' in first) first.release();
  expect(budget.take('a', 20)).toEqual({ retryAfterSeconds: 1 });
  expect(budget.take('a', 19)).toHaveProperty('release');
});
