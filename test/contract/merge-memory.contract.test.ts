import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createEventStore } from '#storage/clickhouse/event-store.ts';
import { createMigratedClickhouse } from './engines.ts';
import { makeEvent } from './sample-events.ts';

const PARTS = 12;
const EVENTS_PER_PART = 120;
const EVENT_BYTES = 8_000;
/** Measured: 101 MB; and 308 MB when each column of the new part had buffers of 2 MiB from the beginning. */
const MERGE_BYTES_MAX = 200_000_000;

let database: ReturnType<typeof createMigratedClickhouse>;
beforeAll(() => {
  database = createMigratedClickhouse({
    name: 'embedded ClickHouse',
    url: inject('embeddedClickhouseUrl'),
  });
});
afterAll(() => database?.drop());

test('a merge of events stays far below the memory of the engine, which ends it otherwise', async () => {
  const store = createEventStore(database);
  for (let part = 0; part < PARTS; part++) {
    const events = Array.from({ length: EVENTS_PER_PART }, () =>
      makeEvent({ organizationId: 1, projectId: 1, message: randomBytes(EVENT_BYTES / 2).toString('hex') }),
    );
    await store.insertEvents(events, `part ${part}`);
  }
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const [row] = await database.query<{ bytes: number }>(
        `SELECT max(memory_usage) AS bytes FROM system.merges
         WHERE database = currentDatabase() AND table = 'events'`,
        {},
      );
      most = Math.max(most, row?.bytes ?? 0);
      await delay(5);
    }
  })();
  await database.write('OPTIMIZE TABLE events FINAL', {});
  isOver = true;
  await watching;
  expect(most).toBeGreaterThan(1_000_000);
  expect(most).toBeLessThan(MERGE_BYTES_MAX);
});
