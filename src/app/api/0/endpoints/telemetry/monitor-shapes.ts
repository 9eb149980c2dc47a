import { z } from 'zod';
import { each, idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs, isoOfMsOrNull } from '#app/api/0/shapes/moments.ts';
import { PROJECT_CORE, serializeProjectCore } from '#app/api/0/shapes/project.ts';
import type { Context } from '#product/context.ts';
import type { MonitorEnvironment, MonitorSettings } from '#product/monitors/monitor.ts';
import type { ExpectedCheckIn, ProjectMonitor } from '#product/monitors/monitors.ts';

const TEXT = z.string();
const NUMBER_OR_NULL = z.number().nullable();
const TIME_OR_NULL = TEXT.nullable();

/** In the API's names: a crontab as its text, an interval as its number and unit; all null where nothing is known. */
export const [CONFIG, serializeConfig] = shapeOf<MonitorSettings | null>()(
  {
    schedule_type: [TEXT.nullable(), (settings) => settings?.schedule?.type ?? null],
    schedule: [
      z.union([TEXT, z.array(z.union([TEXT, z.number()]))]).nullable(),
      (settings) => {
        const schedule = settings?.schedule ?? null;
        return schedule?.type === 'interval' ? [schedule.value, schedule.unit] : (schedule?.value ?? null);
      },
    ],
    checkin_margin: [NUMBER_OR_NULL, (settings) => settings?.checkinMargin ?? null],
    max_runtime: [NUMBER_OR_NULL, (settings) => settings?.maxRuntime ?? null],
    timezone: [TEXT.nullable(), (settings) => settings?.timeZone ?? null],
    failure_issue_threshold: [NUMBER_OR_NULL, (settings) => settings?.failureIssueThreshold ?? null],
    recovery_threshold: [NUMBER_OR_NULL, (settings) => settings?.recoveryThreshold ?? null],
    alert_rule_id: NULL,
  },
  'Config',
);

export const [ENVIRONMENT, serializeEnvironment] = shapeOf<MonitorEnvironment>()(
  {
    name: TEXT,
    /** `active` before anything has ended. */
    status: [
      z.enum(['ok', 'error', 'active', 'disabled']),
      ({ isDisabled, incidentId, lastOkAt }) =>
        isDisabled ? 'disabled' : incidentId !== null ? 'error' : lastOkAt !== null ? 'ok' : 'active',
    ],
    lastCheckIn: [TIME_OR_NULL, ({ lastCheckInAt }) => isoOfMsOrNull(lastCheckInAt)],
    nextCheckIn: [TIME_OR_NULL, ({ nextExpectedAt }) => isoOfMsOrNull(nextExpectedAt)],
    nextCheckInLatest: [TIME_OR_NULL, ({ deadlineAt }) => isoOfMsOrNull(deadlineAt)],
    activeIncident: [
      z.object({ startingTimestamp: TEXT, resolvingTimestamp: z.null(), brokenNotice: z.null() }).nullable(),
      ({ incidentStartedAt }) =>
        incidentStartedAt === null
          ? null
          : { startingTimestamp: isoOfMs(incidentStartedAt), resolvingTimestamp: null, brokenNotice: null },
    ],
    dateCreated: isoMs('createdAt'),
    isMuted: z.boolean(),
  },
  'Environment',
);

/** Source of the fields: https://docs.sentry.io/api/crons/retrieve-monitors-for-an-organization/ */
export const [MONITOR, serializeMonitor] = shapeOf<ProjectMonitor, [ctx: Pick<Context, 'actor'>]>()(
  {
    id: [TEXT, 'guid'],
    slug: TEXT,
    name: TEXT,
    status: [z.enum(['active', 'disabled']), ({ isDisabled }) => (isDisabled ? 'disabled' : 'active')],
    isMuted: z.boolean(),
    isUpserting: z.boolean(),
    config: [CONFIG, (monitor) => serializeConfig(monitor)],
    dateCreated: isoMs('createdAt'),
    project: [PROJECT_CORE, ({ project }, ctx) => serializeProjectCore(project, ctx)],
    environments: [
      z.array(ENVIRONMENT),
      ({ environments }) => environments.map((row) => serializeEnvironment(row)),
    ],
    owner: z.object({ type: z.enum(['user', 'team']), id: TEXT, name: TEXT }).nullable(),
  },
  'Monitor',
);

type Sent = Readonly<Record<string, unknown>>;

/** What an SDK sent with a check-in, as settings: only what it sent is known. */
function settingsOf(sent: Sent | null): MonitorSettings | null {
  if (sent === null) return null;
  const number = (name: string) => (typeof sent[name] === 'number' ? sent[name] : null);
  return {
    schedule: (sent.schedule ?? null) as MonitorSettings['schedule'],
    timeZone: typeof sent.timezone === 'string' ? sent.timezone : null,
    checkinMargin: number('checkin_margin'),
    maxRuntime: number('max_runtime'),
    failureIssueThreshold: number('failure_issue_threshold'),
    recoveryThreshold: number('recovery_threshold'),
  } as MonitorSettings;
}

/** Source of the fields: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor/ */
export const [CHECK_IN, serializeCheckIn] = shapeOf<ExpectedCheckIn>()(
  {
    id: [TEXT, 'checkInId'],
    monitorSlug: TEXT,
    projectID: idOf('projectId'),
    environment: TEXT,
    status: z.enum(['ok', 'error', 'in_progress', 'missed', 'timeout', 'unknown']),
    duration: [NUMBER_OR_NULL, 'durationMs'],
    ...each(isoMs('startedAt'), 'dateCreated', 'dateAdded'),
    dateUpdated: isoMs('updatedAt'),
    ...each(isoMs('startedAt'), 'dateInProgress', 'dateClock'),
    expectedTime: [TIME_OR_NULL, ({ expectedAt }) => isoOfMsOrNull(expectedAt)],
    monitorConfig: [CONFIG, ({ monitorConfig }) => serializeConfig(settingsOf(monitorConfig))],
    traceId: TEXT.nullable(),
  },
  'CheckIn',
);

/** One bucket of a monitor's statistics. */
export const MONITOR_STATS = z
  .object({
    /** Seconds since the epoch. */
    ts: z.number(),
    ok: z.number(),
    error: z.number(),
    missed: z.number(),
    timeout: z.number(),
    /** Milliseconds on average; 0 when no run said how long it took. */
    duration: z.number(),
  })
  .meta({ id: 'MonitorStats' });
