import type { MetricAlert, MetricState } from '#domain/alerts/alert-rule.ts';
import type { WindowValue } from '../metrics/measure-windows.ts';
import type { PreviewAlarm } from './alert-preview.ts';

/** Alarms that a preview lists: the newest. */
export const ALARMS_MAX = 100;

/**
 * When a metric would have been bad without a break, oldest first: from the end of the window that said so, which is when the
 * rule looks, to the end of the one that was good again.
 */
export function findAlarms(
  { direction }: Pick<MetricAlert, 'direction'>,
  {
    windows,
    states,
    fromMs,
    windowMs,
  }: {
    windows: readonly WindowValue[];
    /** Of each window, after it. */
    states: readonly MetricState[];
    fromMs: number;
    windowMs: number;
  },
): readonly PreviewAlarm[] {
  const alarms: PreviewAlarm[] = [];
  let open = null as PreviewAlarm | null;
  for (const [index, state] of states.entries()) {
    const endMs = fromMs + (index + 1) * windowMs;
    const value = windows[index]?.value ?? null;
    if (state === 'ok') {
      if (open) alarms.push({ ...open, toMs: endMs });
      open = null;
    } else if (open === null) {
      open = { fromMs: endMs, toMs: null, state, worst: value, shortId: null };
    } else {
      open = {
        ...open,
        state: state === 'critical' ? state : open.state,
        worst: worseOf(direction, open.worst, value),
      };
    }
  }
  if (open) alarms.push(open);
  return alarms;
}

function worseOf(
  direction: MetricAlert['direction'],
  one: number | null,
  other: number | null,
): number | null {
  if (one === null || other === null) return one ?? other;
  return direction === 'above' ? Math.max(one, other) : Math.min(one, other);
}
