import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatchGate, createDigestPause } from '#storage/postgres/backup/digest-pause.ts';
import { createEmptyPostgres, describeOnPostgres } from './engines.ts';
import { runOnServer } from './postgres-template.ts';

const HELD_MS_MAX = 30;

describeOnPostgres('the gate of digest', (engine) => {
  test('a pause gets its turn although loops of one process take turns, and nobody is inside meanwhile', async () => {
    const database = await createEmptyPostgres(engine);
    const gate = createBatchGate(database, HELD_MS_MAX);
    let inside = 0;
    let isOver = false;
    const loops = [0, 1, 2].map(async (index) => {
      await delay(index * 5);
      while (!isOver) {
        await gate.enter();
        inside += 1;
        await delay(15);
        inside -= 1;
        await gate.leave();
      }
    });
    await delay(100);
    const seen = await createDigestPause(database).during(async () => {
      const before = inside;
      await delay(60);
      return [before, inside];
    });
    isOver = true;
    await Promise.all(loops);
    expect(seen).toEqual([0, 0]);
    await gate.close();
    await database.drop();
  });

  test('a connection that is lost inside leaves nothing behind: the next batch locks again', async () => {
    const database = await createEmptyPostgres(engine);
    const gate = createBatchGate(database, HELD_MS_MAX);
    await gate.enter();
    await runOnServer(
      database.url,
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await gate.leave();
    await gate.enter();
    let isPaused = false;
    const pause = createDigestPause(database).during(async () => {
      isPaused = true;
    });
    await delay(100);
    expect(isPaused).toBe(false);
    await gate.leave();
    await pause;
    expect(isPaused).toBe(true);
    await gate.close();
    await database.drop();
  });
});
