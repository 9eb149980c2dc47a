import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config, RoleName } from '#config.ts';
import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { VERSION } from '#lib/version.ts';
import { CLOCK_MS_MAX } from '#product/machines/describe-machines.ts';
import type { RoleProcessStore } from '#product/machines/role-process-store.ts';

const BEAT_EVERY_MS = 10_000;
/** An answer that took longer says little about the moment at which the clock was read. */
const ANSWER_MS_MAX = 1_000;

/** Of this machine, for people: several servers may run on one. */
export const machineName = ({ port }: Pick<Config, 'port'>): string => `${hostname()}:${port}`;

/** Tells the other machines that this process runs, and how far its clock is off. */
export type Presence = { stop(): Promise<void> };

export function announceRole(
  role: RoleName,
  config: Pick<Config, 'port'>,
  store: RoleProcessStore,
  log: Log,
): Presence {
  const own = { processId: randomUUID(), role, machine: machineName(config), version: VERSION };
  let isTold = false;
  const beat = async () => {
    try {
      const clockAheadMs = await measureClock(store);
      await store.beat(own, clockAheadMs);
      const isOff = clockAheadMs !== null && Math.abs(clockAheadMs) > CLOCK_MS_MAX;
      if (isOff && !isTold) {
        log.warn(
          { clockAheadMs: Math.round(clockAheadMs) },
          "This machine's clock differs from PostgreSQL's",
        );
      }
      isTold = isOff;
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'That this process runs could not be noted');
    }
  };
  let beating = beat();
  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, BEAT_EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await beating;
      await store.leave(own.processId).catch(() => {});
    },
  };
}

/** In milliseconds, as if the answer had been halfway at the time; null when that is too uncertain. */
async function measureClock(store: Pick<RoleProcessStore, 'readClock'>): Promise<number | null> {
  const askedAt = performance.now();
  const databaseMs = await store.readClock();
  const tookMs = performance.now() - askedAt;
  return tookMs > ANSWER_MS_MAX ? null : Date.now() - tookMs / 2 - databaseMs;
}
