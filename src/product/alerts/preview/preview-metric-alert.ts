import type { MetricAlert, MetricState } from '#domain/alerts/alert-rule.ts';
import type { Project } from '#domain/projects.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import { openMetricQuery } from '../metric-query.ts';
import { nextMetricState } from '../metrics/check-metrics.ts';
import type { AlertPreview } from './alert-preview.ts';

/** As many points as a chart shows. */
const POINTS_MAX = 336;

const STATE_RANK: Readonly<Record<MetricState, number>> = { ok: 0, warning: 1, critical: 2 };

/** Window after window, where the rule itself looks each minute. */
export async function previewMetricAlert(
  ctx: Context,
  project: Project,
  { environment, definition, range }: { environment: string | null; definition: MetricAlert; range: Range },
): Promise<AlertPreview> {
  const { measure, query, windowMinutes } = definition;
  const expression = await openMetricQuery(ctx, project, { measure, query, environment });
  const windowMs = windowMinutes * MINUTE_MS;
  // Whole windows up to now.
  const windows = Math.max(1, Math.floor((range.toMs - range.fromMs) / windowMs));
  const fromMs = range.toMs - windows * windowMs;
  const values = await ctx.stores.alertEvents.measure(
    { organizationId: ctx.organization.id, projectIds: [project.id] },
    { measure, expression, range: { fromMs, toMs: range.toMs }, bucketMs: windowMs },
  );
  const states: MetricState[] = [];
  let firings = 0;
  let state: MetricState = 'ok';
  for (const value of values) {
    const next = nextMetricState(definition, state, value);
    if (next !== state && next !== 'ok') firings += 1;
    state = next;
    states.push(state);
  }
  const perPoint = Math.max(1, Math.ceil(windows / POINTS_MAX));
  const points = groupUp(values, states, perPoint, definition.direction);
  return {
    kind: 'metric',
    firings,
    estimates:
      windowMinutes > 1
        ? ['The preview checks consecutive windows; the rule itself checks every minute.']
        : [],
    isEstimate: windowMinutes > 1,
    buckets: { fromMs, bucketMs: windowMs * perPoint, values: points.map(({ value }) => value) },
    states: points.map((point) => point.state),
    issues: [],
    issuesTotal: 0,
  };
}

/** Several windows as one point: the worst of them. */
function groupUp(
  values: readonly (number | null)[],
  states: readonly MetricState[],
  size: number,
  direction: MetricAlert['direction'],
): readonly { value: number | null; state: MetricState }[] {
  const points: { value: number | null; state: MetricState }[] = [];
  for (let start = 0; start < values.length; start += size) {
    const known = values.slice(start, start + size).filter((value) => value !== null);
    const worst = known.length === 0 ? null : direction === 'above' ? Math.max(...known) : Math.min(...known);
    const state = states
      .slice(start, start + size)
      .reduce<MetricState>((one, other) => (STATE_RANK[other] > STATE_RANK[one] ? other : one), 'ok');
    points.push({ value: worst, state });
  }
  return points;
}
