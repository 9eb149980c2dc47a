import type { UptimeProber } from '#delivery/ports/uptime-prober.ts';
import { conflict } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkUptimeMonitor, type UptimeMonitorInput } from './check-uptime-monitor.ts';
import { type CheckResult, runCheck } from './run-check.ts';
import { findUptimeMonitor, requireUptimeWrite } from './uptime-monitors.ts';

/** Checks under way in one process because somebody wants to see one. */
const TRIES_AT_ONCE_MAX = 8;
let underWay = 0;

/**
 * Runs the check that a form describes once, without storing anything: of a new monitor, or of one with its stored headers.
 * Throws Invalid, which names the field, NotFound, and Conflict while too many are under way.
 */
export async function tryUptimeCheck(
  ctx: Context,
  prober: UptimeProber,
  input: UptimeMonitorInput,
  monitorId: number | null,
): Promise<CheckResult> {
  requireUptimeWrite(ctx);
  const known =
    monitorId === null
      ? null
      : {
          monitor: (await findUptimeMonitor(ctx, monitorId)).monitor,
          headers: await ctx.stores.uptimeMonitors.readHeaders(ctx.organization.id, monitorId),
        };
  const checked = await checkUptimeMonitor(ctx, input, known);
  if (underWay >= TRIES_AT_ONCE_MAX) {
    throw conflict('Too many checks are being tried right now: wait a few seconds and try again');
  }
  underWay++;
  try {
    return await runCheck(prober, checked);
  } finally {
    underWay--;
  }
}
