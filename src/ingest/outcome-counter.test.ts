import { expect, test } from 'vitest';
import type { KeyAdmission } from '#domain/projects.ts';
import { createLog } from '#lib/log.ts';
import { OutcomeCounter } from './outcome-counter.ts';
import { decodeRecord } from './spool-record.ts';

const key = (keyId: number): KeyAdmission => ({
  keyId,
  projectId: 2,
  organizationId: 3,
  publicKey: String(keyId).padStart(32, '0'),
  isActive: true,
  isInternal: false,
  quotas: [],
});

function openCounter() {
  const spool = { isFull: false, decided: Promise.resolve(), records: [] as Uint8Array[] };
  const counter = new OutcomeCounter(
    {
      append: async (pieces) => {
        await spool.decided;
        if (spool.isFull) throw new Error('full');
        spool.records.push(Buffer.concat(pieces));
        return spool.records.length;
      },
      sizeBytes: () => 0,
      bytesMax: 1_000_000,
      trouble: () => null,
      close: async () => {},
    },
    createLog('test', 'silent'),
  );
  return { spool, counter, read: () => spool.records.map(decodeRecord) };
}

test('outcomes are summed up by key and reason, one record per key', async () => {
  const { counter, read } = openCounter();
  counter.add(key(1), 'error', 'rate_limited', 'key_quota', 2);
  counter.add(key(1), 'error', 'rate_limited', 'key_quota', 3);
  counter.add(key(1), 'session', 'rate_limited', 'key_quota');
  counter.add(key(2), 'error', 'invalid', 'disabled_key');
  await counter.flush();
  await counter.flush();
  expect(read()).toMatchObject([
    {
      keyId: 1,
      outcomes: [
        { category: 'error', outcome: 'rate_limited', reason: 'key_quota', quantity: 5 },
        { category: 'session', quantity: 1 },
      ],
    },
    { keyId: 2, outcomes: [{ reason: 'disabled_key' }] },
  ]);
});

test('what the spool does not take waits, and nothing is counted twice', async () => {
  const { counter, spool, read } = openCounter();
  counter.add(key(1), 'error', 'rate_limited', 'key_quota', 2);
  spool.isFull = true;
  await counter.flush();
  counter.add(key(1), 'error', 'rate_limited', 'key_quota', 1);
  spool.isFull = false;
  await counter.flush();
  await counter.flush();
  expect(read()).toMatchObject([{ outcomes: [{ quantity: 3 }] }]);
});

test('what is not decided is not sent again, and what is new waits for it', async () => {
  const { counter, spool, read } = openCounter();
  const decision = Promise.withResolvers<void>();
  spool.decided = decision.promise;
  counter.add(key(1), 'error', 'rate_limited', 'key_quota', 2);
  const first = counter.flush();
  counter.add(key(1), 'error', 'rate_limited', 'key_quota', 1);
  const second = counter.flush();
  await new Promise(setImmediate);
  expect(read()).toEqual([]);
  decision.resolve();
  await Promise.all([first, second]);
  await counter.stop();
  expect(read()).toMatchObject([{ outcomes: [{ quantity: 2 }] }, { outcomes: [{ quantity: 1 }] }]);
});

test('a stop does not wait for brokers that never answer', { timeout: 5_000 }, async () => {
  const { counter, spool } = openCounter();
  spool.decided = new Promise(() => {});
  counter.add(key(1), 'error', 'rate_limited', 'key_quota', 2);
  await counter.stop();
});
