import type { Context } from '#product/context.ts';
import type { ProjectMonitor } from '#product/monitors/monitors.ts';
import type { CheckInSummary, MonitorEnvironment } from '#storage/ports/telemetry.ts';
import { isoOfMs } from './serialize-moment.ts';
import { serializeProjectCore } from './serialize-project.ts';

/**
 * A monitor as its check-ins tell of it; its name is its slug.
 * Source of the fields: https://docs.sentry.io/api/crons/retrieve-monitors-for-an-organization/
 */
export function serializeMonitor(
  ctx: Pick<Context, 'actor'>,
  { slug, config, environments, project }: ProjectMonitor,
) {
  return {
    id: `${project.id}:${slug}`,
    slug,
    name: slug,
    status: 'active',
    isMuted: false,
    // Its settings come with check-ins, and change with them.
    isUpserting: true,
    config: serializeConfig(config),
    dateCreated: isoOfMs(Math.min(...environments.map((each) => each.firstCheckInAt))),
    project: serializeProjectCore(ctx, project),
    environments: environments.map(serializeEnvironment),
    owner: null,
  };
}

const serializeEnvironment = (environment: MonitorEnvironment) => ({
  name: environment.name,
  status: stateOf(environment),
  lastCheckIn: isoOfMs(environment.lastCheckInAt),
  // When the next one is due is not worked out here.
  nextCheckIn: null,
  nextCheckInLatest: null,
  activeIncident: null,
  dateCreated: isoOfMs(environment.firstCheckInAt),
  isMuted: false,
});

/** What is late or did not end in time is an error too; `active` before anything has ended. */
const stateOf = ({ status }: MonitorEnvironment): 'active' | 'ok' | 'error' =>
  status === null ? 'active' : status === 'ok' ? 'ok' : 'error';

/** Source of the fields: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor/ */
export const serializeCheckIn = (row: CheckInSummary) => ({
  id: row.checkInId,
  monitorSlug: row.monitorSlug,
  projectID: String(row.projectId),
  environment: row.environment,
  status: row.status,
  duration: row.durationMs,
  dateCreated: isoOfMs(row.startedAt),
  dateAdded: isoOfMs(row.startedAt),
  dateUpdated: isoOfMs(row.updatedAt),
  dateInProgress: isoOfMs(row.startedAt),
  dateClock: isoOfMs(row.startedAt),
  expectedTime: null,
  monitorConfig: serializeConfig(row.monitorConfig),
  traceId: row.traceId,
});

/** As an SDK sent it, in the API's names: a crontab as its text, an interval as its number and unit. */
function serializeConfig(config: Readonly<Record<string, unknown>> | null) {
  const sent = config ?? {};
  const schedule = (sent.schedule ?? {}) as { type?: string; value?: string | number; unit?: string };
  return {
    schedule_type: schedule.type ?? null,
    schedule: schedule.type === 'interval' ? [schedule.value, schedule.unit] : (schedule.value ?? null),
    checkin_margin: numberOf(sent.checkin_margin),
    max_runtime: numberOf(sent.max_runtime),
    timezone: typeof sent.timezone === 'string' ? sent.timezone : null,
    failure_issue_threshold: numberOf(sent.failure_issue_threshold),
    recovery_threshold: numberOf(sent.recovery_threshold),
    alert_rule_id: null,
  };
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
