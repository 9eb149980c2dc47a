import type { MetricAlert, MetricState } from '#domain/alerts/alert-rule.ts';
import type { Project } from '#domain/projects.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import { nextMetricState } from '../metrics/check-metrics.ts';
import { measureWindows, type WindowValue } from '../metrics/measure-windows.ts';
import type { AlertPreview } from './alert-preview.ts';
import { ALARMS_MAX, findAlarms } from './find-alarms.ts';

/** As many points as a chart shows. */
const POINTS_MAX = 336;

const STATE_RANK: Readonly<Record<MetricState, number>> = { ok: 0, warning: 1, critical: 2 };

/** Window after window, where the rule itself looks each minute. */
export async function previewMetricAlert(
  ctx: Context,
  project: Project,
  { environment, definition, range }: { environment: string | null; definition: MetricAlert; range: Range },
): Promise<AlertPreview> {
  const { windowMinutes, comparisonMinutes } = definition;
  const windowMs = windowMinutes * MINUTE_MS;
  // Whole windows up to now.
  const length = Math.max(1, Math.floor((range.toMs - range.fromMs) / windowMs));
  const fromMs = range.toMs - length * windowMs;
  const windows = await measureWindows(ctx, project, {
    environment,
    definition,
    range: { fromMs, toMs: range.toMs },
  });
  const states: MetricState[] = [];
  let firings = 0;
  let state: MetricState = 'ok';
  for (const { value } of windows) {
    const next = nextMetricState(definition, state, value);
    if (next !== state && next !== 'ok') firings += 1;
    state = next;
    states.push(state);
  }
  const alarms = findAlarms(definition, { windows, states, fromMs, windowMs });
  const perPoint = Math.max(1, Math.ceil(length / POINTS_MAX));
  const points = groupUp(windows, states, perPoint, definition.direction);
  return {
    kind: 'metric',
    firings,
    estimates:
      windowMinutes > 1
        ? ['The preview checks consecutive windows; the rule itself checks every minute.']
        : [],
    isEstimate: windowMinutes > 1,
    buckets: { fromMs, bucketMs: windowMs * perPoint, values: points.map(({ measured }) => measured) },
    range: { fromMs, toMs: range.toMs },
    alarms: alarms.slice(-ALARMS_MAX),
    alarmsTotal: alarms.length,
    before: comparisonMinutes === undefined ? [] : points.map(({ before }) => before),
    states: points.map((point) => point.state),
    issues: [],
    issuesTotal: 0,
  };
}

/** Several windows as one point: the worst of them. */
function groupUp(
  windows: readonly WindowValue[],
  states: readonly MetricState[],
  size: number,
  direction: MetricAlert['direction'],
): readonly (Omit<WindowValue, 'value'> & { state: MetricState })[] {
  const sign = direction === 'above' ? 1 : -1;
  const badness = ({ value }: WindowValue): number =>
    value === null ? Number.NEGATIVE_INFINITY : value * sign;
  const points: (Omit<WindowValue, 'value'> & { state: MetricState })[] = [];
  for (let start = 0; start < windows.length; start += size) {
    const { measured, before } = windows
      .slice(start, start + size)
      .reduce((one, other) => (badness(other) > badness(one) ? other : one));
    const state = states
      .slice(start, start + size)
      .reduce<MetricState>((one, other) => (STATE_RANK[other] > STATE_RANK[one] ? other : one), 'ok');
    points.push({ measured, before, state });
  }
  return points;
}
