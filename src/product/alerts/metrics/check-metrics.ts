import type {
  AlertFiring,
  AlertRule,
  MetricAlert,
  MetricReading,
  MetricState,
} from '#domain/alerts/alert-rule.ts';
import { boundOf } from '#domain/alerts/compare-periods.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import type { Project } from '#domain/projects.ts';
import { isErrataError } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import type { Log } from '#lib/log.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { describeMinutes } from '#product/measures/describe-minutes.ts';
import type { Stores } from '#product/stores.ts';
import { loadAudience, type ReceiverStores, resolveReceivers } from '../evaluate/receivers.ts';
import { measureWindows, type WindowValue } from './measure-windows.ts';

/** Each rule is looked at about once a minute; what there is no time for is looked at first in the next one. */
const EVERY_MS = 55_000;
const RULES_PER_RUN_MAX = 2_000;
const AT_ONCE_MAX = 2;
const RUN_MS_MAX = 45_000;
/** A rule whose look takes long rests for this many times as long: it takes a twentieth of the time, whatever it asks. */
const REST_PER_LOOK = 19;
const REST_MS_MAX = 30 * MINUTE_MS;

/** Of what is no fault of the search. */
const PROBLEM = 'The metric could not be measured: see the server log for details';

/**
 * Looks at the metrics of enabled rules, the one that waited longest first. Answers how many, and how many changed. Throws
 * ErrataError `unavailable` when a store is away: what was not looked at is looked at next. Any other failure concerns its
 * rule alone.
 */
export async function checkMetrics({
  stores,
  now,
  log,
}: {
  stores: Stores;
  now: () => number;
  log: Log;
}): Promise<{ checked: number; changed: number }> {
  const startedAt = now();
  const rules = await stores.alertRules.listDueMetrics(startedAt - EVERY_MS, startedAt, RULES_PER_RUN_MAX);
  if (rules.length === 0) return { checked: 0, changed: 0 };
  const organizations = new Map((await stores.projects.listOrganizations()).map((each) => [each.id, each]));
  const result = { checked: 0, changed: 0 };
  const failures: unknown[] = [];
  const projects = new Map<number, ReturnType<typeof stores.projects.listProjects>>();
  const findProject = async ({ organizationId, projectId }: AlertRule): Promise<Project | null> => {
    const reading = projects.get(organizationId) ?? stores.projects.listProjects(organizationId);
    projects.set(organizationId, reading);
    return (await reading).find(({ id }) => id === projectId) ?? null;
  };
  const check = limitConcurrency(async (rule: AlertRule) => {
    const organization = organizations.get(rule.organizationId);
    const isLate = now() - startedAt > RUN_MS_MAX;
    if (rule.definition.kind !== 'metric' || !organization || isLate || failures.length > 0) return;
    const ctx: Context = { stores, organization, actor: { kind: 'system' }, now, publicUrl: '' };
    try {
      const project = await findProject(rule);
      if (!project) return;
      const askedAt = now();
      const measured = await measureNow(ctx, project, rule, rule.definition, log);
      if (await note(ctx, rule, rule.definition, { ...measured, askedAt })) result.changed += 1;
      result.checked += 1;
    } catch (error) {
      if (isAway(error)) failures.push(error);
      else log.error({ ruleId: rule.id, error: String(error) }, "An alert rule's metric was not checked");
    }
  }, AT_ONCE_MAX);
  await Promise.all(rules.map(check));
  if (failures.length > 0) throw failures[0];
  return result;
}

const isAway = (error: unknown): boolean => isErrataError(error) && error.code === 'unavailable';

type Measured = Pick<AlertFiring, 'value' | 'measured' | 'measuredBefore'> & { problem: string | null };

/** What cannot be measured, for a search that has become wrong, says so on the page of the rule. */
async function measureNow(
  ctx: Context,
  project: Project,
  rule: AlertRule,
  definition: MetricAlert,
  log: Log,
): Promise<Measured> {
  try {
    const toMs = ctx.now();
    const [window] = await measureWindows(ctx, project, {
      environment: rule.environment,
      definition,
      range: { fromMs: toMs - definition.windowMinutes * MINUTE_MS, toMs },
    });
    if (!window) return { ...NOTHING, problem: null };
    const isChange = definition.comparisonMinutes !== undefined;
    return {
      value: window.value,
      measured: isChange ? window.measured : null,
      measuredBefore: window.before,
      problem: uncompared(definition, window),
    };
  } catch (error) {
    if (isAway(error)) throw error;
    const problem = isErrataError(error) && error.code === 'invalid' ? error.message : PROBLEM;
    // Logged once, not each minute.
    if (rule.metric?.problem !== problem) {
      log.warn({ ruleId: rule.id, error: String(error) }, "An alert rule's metric could not be measured");
    }
    return { ...NOTHING, problem };
  }
}

const NOTHING = { value: null, measured: null, measuredBefore: null };

/** When a rule is looked at next, of one that was asked and answered at these times. */
export const nextLookAt = (askedAt: number, answeredAt: number): number =>
  Math.max(askedAt + EVERY_MS, answeredAt + Math.min(REST_PER_LOOK * (answeredAt - askedAt), REST_MS_MAX));

/** Why what was measured has no value; null when it has one, and when there was nothing to measure. */
function uncompared({ comparisonMinutes }: MetricAlert, { value, measured }: WindowValue): string | null {
  if (comparisonMinutes === undefined || value !== null || measured === null) return null;
  return `There is nothing to compare with: no data ${describeMinutes(comparisonMinutes)} earlier`;
}

async function note(
  { stores, now }: Context,
  rule: AlertRule,
  definition: MetricAlert,
  { problem, askedAt, ...measured }: Measured & { askedAt: number },
): Promise<boolean> {
  const before = rule.metric?.state ?? 'ok';
  const { value } = measured;
  const state = nextMetricState(definition, before, value);
  const checkedAt = now();
  const hasChanged = state !== before;
  const reading: MetricReading = {
    state,
    since: hasChanged || !rule.metric ? checkedAt : rule.metric.since,
    value,
    checkedAt,
    problem,
    tookMs: checkedAt - askedAt,
    nextAt: nextLookAt(askedAt, checkedAt),
  };
  const receivers = hasChanged ? await receiversOf(stores, rule, definition) : [];
  const isNoted = await stores.alertOutbox.finishMetric(
    rule,
    rule.metric?.checkedAt ?? null,
    reading,
    hasChanged ? { cause: state, ...measured, receivers } : null,
  );
  return isNoted && hasChanged;
}

async function receiversOf(
  stores: ReceiverStores,
  rule: AlertRule,
  { receivers }: MetricAlert,
): Promise<readonly Receiver[]> {
  const audience = await loadAudience(stores, rule.organizationId, [rule.projectId]);
  return audience ? resolveReceivers(audience, receivers, rule.projectId, null) : [];
}

type Thresholds = Pick<MetricAlert, 'direction' | 'comparisonMinutes' | 'critical' | 'warning' | 'resolve'>;

/**
 * What a metric is after a measurement. It grows worse as soon as it passes a threshold. It is a warning again once it is
 * no more critical, and well once it lies on the good side of `resolve`, without one of the lowest threshold. A share of
 * nothing, and a change of what was nothing (null), change nothing.
 */
export function nextMetricState(
  thresholds: Thresholds,
  state: MetricState,
  value: number | null,
): MetricState {
  if (value === null) return state;
  const { direction, critical, warning, resolve } = thresholds;
  const passes = (threshold: number) => {
    const bound = boundOf(thresholds, threshold);
    return direction === 'above' ? value > bound : value < bound;
  };
  if (passes(critical)) return 'critical';
  if (warning !== null && passes(warning)) return 'warning';
  const isWell = !passes(resolve ?? warning ?? critical);
  if (state === 'ok' || isWell) return 'ok';
  return warning === null ? 'critical' : 'warning';
}
