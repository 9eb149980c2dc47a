import { randomBytes } from 'node:crypto';
import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { LookPace } from '#lib/look-pace.ts';
import { checkDueMonitor, takeDueMonitors, type UptimeParts } from '#product/uptime/check-due-monitor.ts';
import { tellIncidents } from '#product/uptime/tell-incidents.ts';
import { withinTime } from './within-time.ts';

/** Checks under way in this process. */
const AT_ONCE_MAX = 100;
const LOOK_EVERY_MS = 500;
const RETRY_AFTER_MS = 5_000;
/** Checks are written together, so that the analytic store gets few parts. */
const WRITE_EVERY_MS = 2_000;
/** Checks that wait for the analytic store while it is away; the oldest are lost. */
const UNWRITTEN_MAX = 20_000;
/** Checks under way when the process is to stop may end by themselves for so long; then their lease ends them. */
const STOP_MS_MAX = 5_000;

type StoredCheck = NonNullable<Awaited<ReturnType<typeof checkDueMonitor>>>;

/**
 * Checks uptime monitors when they are due, until `signal` says stop. Several processes share them. Not a schedule of the job
 * queue: that knows minutes, and monitors are to be spread over them.
 */
export async function runUptimeWorker(
  { log, ...parts }: UptimeParts & { log: Log },
  signal: AbortSignal,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let unwritten: StoredCheck[] = [];
  const pause = (ms: number) => pauseUnless(signal, ms);
  await Promise.all([check(), write(), tell()]);

  async function check(): Promise<void> {
    const pace = new LookPace(LOOK_EVERY_MS);
    while (!signal.aborted) {
      try {
        const free = AT_ONCE_MAX - underWay.size;
        const due = free > 0 ? await takeDueMonitors(parts, free) : [];
        for (const monitor of due) start(monitor);
        if (due.length > 0) pace.found();
        if (due.length < free || free === 0) await pause(pace.waitMs);
      } catch (error) {
        log.warn({ error: messageOf(error) }, 'Due uptime monitors could not be read; they remain due');
        await pause(RETRY_AFTER_MS);
      }
    }
    await withinTime(Promise.all(underWay), STOP_MS_MAX);
  }

  function start(due: Awaited<ReturnType<typeof takeDueMonitors>>[number]): void {
    const checking = checkDueMonitor(parts, due)
      .then((stored) => {
        if (stored) unwritten.push(stored);
      })
      .catch((error: unknown) => {
        log.warn(
          { monitor: due.id, error: messageOf(error) },
          'An uptime check was abandoned; its lease ends soon',
        );
      })
      .finally(() => void underWay.delete(checking));
    underWay.add(checking);
  }

  async function write(): Promise<void> {
    while (!signal.aborted) {
      await pause(WRITE_EVERY_MS);
      await flush();
    }
    await withinTime(Promise.all(underWay), STOP_MS_MAX);
    await flush();
  }

  async function flush(): Promise<void> {
    const checks = unwritten;
    if (checks.length === 0) return;
    unwritten = [];
    try {
      await parts.stores.uptimeChecks.insert(checks, `uptime:${randomBytes(12).toString('hex')}`);
    } catch (error) {
      const waiting = [...checks, ...unwritten];
      unwritten = waiting.slice(-UNWRITTEN_MAX);
      const lost = waiting.length - unwritten.length;
      log.warn({ error: messageOf(error), lost }, 'Uptime checks could not be stored; trying again');
    }
  }

  async function tell(): Promise<void> {
    const pace = new LookPace(LOOK_EVERY_MS);
    while (!signal.aborted) {
      try {
        if ((await tellIncidents(parts)) > 0 || underWay.size > 0) pace.found();
        await pause(pace.waitMs);
      } catch (error) {
        log.warn({ error: messageOf(error) }, 'Uptime incidents could not be announced; trying again');
        await pause(RETRY_AFTER_MS);
      }
    }
  }
}

/** Ends early when the signal says stop. */
function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
