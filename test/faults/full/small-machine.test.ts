import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { GeneratorProcess } from '../../bench/generator-process.ts';
import { countDigested, startPace } from '../../bench/pace.ts';
import { createApiClient } from '../../harness/api-client.ts';
import { parseDsn } from '../../harness/envelope.ts';
import { testInFull } from '../../harness/is-full.ts';
import { makeMemoryGroup } from '../../harness/memory-group.ts';
import { listProcessTree, readPssBytes } from '../../harness/processes.ts';
import { startErrata } from '../../harness/start-errata.ts';
import { countEvents } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';

/** What a machine that is sold with 1 GB has left for programs and the cache of its disk. */
const MACHINE_BYTES = 1_000_000_000;
const PER_SECOND = 500;
const SECONDS = Number(process.env.ERRATA_TEST_SMALL_SECONDS ?? 60);
const EVENT_BYTES = 5_000;
const BACKLOG_EVENTS = 30_000;

testInFull(
  'on a machine of 1 GB the small profile takes 500 events a second, and nothing is killed',
  async (context) => {
    const group = makeMemoryGroup(MACHINE_BYTES);
    if (!group) return context.skip('no control group of memory can be made here');
    const server = await startErrata({ memoryGroup: group.folder });
    const generator = await GeneratorProcess.open();
    try {
      expect((await server.cli(['status'])).stdout).toMatch(/memory +the small profile, of 95\d MiB/);
      const pids = await server.pids();
      expect(pids.digest).toBe(pids.jobs);
      const dsn = parseDsn(await server.project('small'));
      const api = createApiClient(server.url, await server.token());
      const pace = startPace({ server, generator }, dsn, EVENT_BYTES, PER_SECOND, BACKLOG_EVENTS);
      const before = await countDigested(server);
      const endsAt = performance.now() + SECONDS * 1000;
      let pssBytesMax = 0;
      while (performance.now() < endsAt) {
        // Somebody reads meanwhile.
        await api.get('/api/0/projects/main/small/issues/?query=is:unresolved&limit=50');
        const used = listProcessTree([server.pid]).reduce((sum, pid) => sum + readPssBytes(pid), 0);
        pssBytesMax = Math.max(pssBytesMax, used);
        await sleep(2_000);
      }
      const { answered, refused } = await pace.stop();
      await until('all events stored', async () => (await countEvents(api, 'small')) >= answered, {
        // Digest yields to whatever else runs on the machine.
        timeoutMs: 600_000,
        everyMs: 1_000,
      });
      const digested = (await countDigested(server)) - before;
      process.stdout.write(
        `small machine: ${JSON.stringify({ answered, refused, digested, seconds: SECONDS, pssMbMax: Math.round(pssBytesMax / 1e6), killed: group.countKilled() })}\n`,
      );
      expect(group.countKilled()).toBe(0);
      expect(await server.pids()).toEqual(pids);
      expect(pssBytesMax).toBeLessThan(MACHINE_BYTES);
      expect(answered).toBeGreaterThan(0);
    } finally {
      generator.close();
      await server[Symbol.asyncDispose]();
      await group.remove();
    }
  },
  (SECONDS + 900) * 1000,
);
