import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from '#ingest/answer-health.ts';
import type { Log } from '#lib/log.ts';
import type { EmbeddedEngine } from '#storage/embedded/engine.ts';

const ASK_EVERY_MS = 1_000;
/** An engine that refuses connections has lost its listener, which nothing but a restart brings back. */
const REFUSED_MS_MAX = 3_000;
/** One that is only silent may be waiting for its disk. */
const SILENT_MS_MAX = 90_000;

/**
 * Asks an engine for signs of life, each over a connection of its own, until it ends; kills one that gives none for too
 * long, so that its supervisor starts it again. Answers how it is now.
 */
export function watchEngine(
  name: string,
  engine: Pick<EmbeddedEngine, 'ask' | 'kill' | 'exited'>,
  log: Log,
  times = { askEveryMs: ASK_EVERY_MS, refusedMsMax: REFUSED_MS_MAX, silentMsMax: SILENT_MS_MAX },
): () => Check {
  let check: Check = { ok: true, detail: 'has just started' };
  let hasEnded = false;
  void engine.exited.then(() => {
    hasEnded = true;
    check = { ok: false, detail: 'ended, is being started again' };
  });
  void (async () => {
    let answeredAt = performance.now();
    while (!hasEnded) {
      await delay(times.askEveryMs, undefined, { ref: false });
      try {
        await engine.ask();
        answeredAt = performance.now();
        if (!hasEnded) check = { ok: true, detail: 'answers' };
      } catch (error) {
        if (hasEnded) return;
        const silentMs = Math.round(performance.now() - answeredAt);
        const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
        const problem = isRefused ? 'does not listen' : 'is silent';
        check = { ok: false, detail: `has not answered for ${Math.round(silentMs / 1000)} s: it ${problem}` };
        if (silentMs < (isRefused ? times.refusedMsMax : times.silentMsMax)) continue;
        log.error({ part: name, silentMs, error: String(error) }, `${name} ${problem} and is killed`);
        engine.kill();
        return;
      }
    }
  })();
  return () => check;
}
