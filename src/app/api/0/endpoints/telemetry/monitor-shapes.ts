import { z } from 'zod';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { PROJECT_CORE, serializeProjectCore } from '#app/api/0/shapes/project.ts';
import type { Context } from '#product/context.ts';
import type { ProjectMonitor } from '#product/monitors/monitors.ts';
import type { CheckInSummary, MonitorEnvironment } from '#storage/ports/telemetry.ts';

export const CONFIG = z
  .object({
    schedule_type: z.string().nullable(),
    schedule: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]).nullable(),
    checkin_margin: z.number().nullable(),
    max_runtime: z.number().nullable(),
    timezone: z.string().nullable(),
    failure_issue_threshold: z.number().nullable(),
    recovery_threshold: z.number().nullable(),
    alert_rule_id: z.null(),
  })
  .meta({ id: 'Config' });

export const ENVIRONMENT = z
  .object({
    name: z.string(),
    status: z.enum(['ok', 'error', 'active']),
    lastCheckIn: z.string(),
    nextCheckIn: z.null(),
    nextCheckInLatest: z.null(),
    activeIncident: z.null(),
    dateCreated: z.string(),
    isMuted: z.boolean(),
  })
  .meta({ id: 'Environment' });

export const MONITOR = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    status: z.string(),
    isMuted: z.boolean(),
    isUpserting: z.boolean(),
    config: CONFIG,
    dateCreated: z.string(),
    project: PROJECT_CORE,
    environments: z.array(ENVIRONMENT),
    owner: z.null(),
  })
  .meta({ id: 'Monitor' });

export const CHECK_IN = z
  .object({
    id: z.string(),
    monitorSlug: z.string(),
    projectID: z.string(),
    environment: z.string(),
    status: z.enum(['ok', 'error', 'in_progress', 'missed', 'timeout']),
    duration: z.number().nullable(),
    dateCreated: z.string(),
    dateAdded: z.string(),
    dateUpdated: z.string(),
    dateInProgress: z.string(),
    dateClock: z.string(),
    expectedTime: z.null(),
    monitorConfig: CONFIG,
    traceId: z.string().nullable(),
  })
  .meta({ id: 'CheckIn' });

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
    project: serializeProjectCore(project, ctx),
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
  const schedule = (sent.schedule ?? {}) as { type?: string; value: string | number; unit: string };
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
