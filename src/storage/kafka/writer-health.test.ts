import { expect, test } from 'vitest';
import { WriterHealth } from './writer-health.ts';

function openHealth() {
  const clock = { now: 0 };
  const health = new WriterHealth(() => clock.now);
  const begin = () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const watched = health.watch(promise).catch(() => null);
    return {
      async take() {
        resolve(1);
        await watched;
      },
      async fail() {
        reject(new Error('too late'));
        await watched;
      },
    };
  };
  return { clock, health, begin };
}

test('a failure is trouble until a record is taken', async () => {
  const { health, begin } = openHealth();
  expect(health.trouble()).toBeNull();
  await begin().fail();
  expect(health.trouble()).toBe('too late');
  await begin().take();
  expect(health.trouble()).toBeNull();
});

test('a failure is forgotten when nothing arrives any more', async () => {
  const { clock, health, begin } = openHealth();
  await begin().fail();
  clock.now = 14_999;
  expect(health.trouble()).toBe('too late');
  clock.now = 15_000;
  expect(health.trouble()).toBeNull();
});

test('brokers that do not answer are trouble before the first request is refused', async () => {
  const { clock, health, begin } = openHealth();
  const waiting = begin();
  clock.now = 5_001;
  expect(health.trouble()).toBe('the brokers do not answer');
  await begin().take();
  expect(health.trouble(), 'others are taken').toBeNull();
  clock.now = 10_003;
  expect(health.trouble()).toBe('the brokers do not answer');
  await waiting.take();
  expect(health.trouble()).toBeNull();
});
