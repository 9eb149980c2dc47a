import { z } from 'zod';
import { always, each, FALSE, idOf, isoMs, NULL, shapeOf, TRUE } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { PROJECT_CORE, serializeProjectCore } from '#app/api/0/shapes/project.ts';
import type { Context } from '#product/context.ts';
import type { ProjectMonitor } from '#product/monitors/monitors.ts';
import type { CheckInSummary, MonitorEnvironment } from '#storage/ports/telemetry.ts';

const TEXT = z.string();
const NUMBER_OR_NULL = z.number().nullable();

type Sent = Readonly<Record<string, unknown>>;

const number = (name: string) =>
  [NUMBER_OR_NULL, (sent: Sent) => (typeof sent[name] === 'number' ? sent[name] : null)] as const;

/** As an SDK sent it, in the API's names: a crontab as its text, an interval as its number and unit. */
export const [CONFIG, serializeConfig] = shapeOf<Sent>()(
  {
    schedule_type: [TEXT.nullable(), (sent) => scheduleOf(sent).type ?? null],
    schedule: [
      z.union([TEXT, z.number(), z.array(z.union([TEXT, z.number()]))]).nullable(),
      (sent) => {
        const { type, value, unit } = scheduleOf(sent);
        return type === 'interval' ? [value, unit] : (value ?? null);
      },
    ],
    checkin_margin: number('checkin_margin'),
    max_runtime: number('max_runtime'),
    timezone: [TEXT.nullable(), ({ timezone }) => (typeof timezone === 'string' ? timezone : null)],
    failure_issue_threshold: number('failure_issue_threshold'),
    recovery_threshold: number('recovery_threshold'),
    alert_rule_id: NULL,
  },
  'Config',
);

const scheduleOf = ({ schedule }: Sent) =>
  (schedule ?? {}) as { type?: string; value: string | number; unit: string };

export const [ENVIRONMENT, serializeEnvironment] = shapeOf<MonitorEnvironment>()(
  {
    name: TEXT,
    /** What is late or did not end in time is an error too; `active` before anything has ended. */
    status: [
      z.enum(['ok', 'error', 'active']),
      ({ status }) => (status === null ? 'active' : status === 'ok' ? 'ok' : 'error'),
    ],
    lastCheckIn: isoMs('lastCheckInAt'),
    // When the next one is due is not worked out here.
    ...each(NULL, 'nextCheckIn', 'nextCheckInLatest', 'activeIncident'),
    dateCreated: isoMs('firstCheckInAt'),
    isMuted: FALSE,
  },
  'Environment',
);

/**
 * A monitor as its check-ins describe it; its name is its slug.
 * Source of the fields: https://docs.sentry.io/api/crons/retrieve-monitors-for-an-organization/
 */
export const [MONITOR, serializeMonitor] = shapeOf<ProjectMonitor, [ctx: Pick<Context, 'actor'>]>()(
  {
    id: [TEXT, ({ project, slug }) => `${project.id}:${slug}`],
    ...each([TEXT, 'slug'], 'slug', 'name'),
    status: always(TEXT, 'active'),
    isMuted: FALSE,
    // Its settings come with check-ins, and change with them.
    isUpserting: TRUE,
    config: [CONFIG, ({ config }) => serializeConfig(config ?? {})],
    dateCreated: [
      TEXT,
      ({ environments }) => isoOfMs(Math.min(...environments.map((row) => row.firstCheckInAt))),
    ],
    project: [PROJECT_CORE, ({ project }, ctx) => serializeProjectCore(project, ctx)],
    environments: [
      z.array(ENVIRONMENT),
      ({ environments }) => environments.map((row) => serializeEnvironment(row)),
    ],
    owner: NULL,
  },
  'Monitor',
);

/** Source of the fields: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor/ */
export const [CHECK_IN, serializeCheckIn] = shapeOf<CheckInSummary>()(
  {
    id: [TEXT, 'checkInId'],
    monitorSlug: TEXT,
    projectID: idOf('projectId'),
    environment: TEXT,
    status: z.enum(['ok', 'error', 'in_progress', 'missed', 'timeout']),
    duration: [NUMBER_OR_NULL, 'durationMs'],
    ...each(isoMs('startedAt'), 'dateCreated', 'dateAdded'),
    dateUpdated: isoMs('updatedAt'),
    ...each(isoMs('startedAt'), 'dateInProgress', 'dateClock'),
    expectedTime: NULL,
    monitorConfig: [CONFIG, ({ monitorConfig }) => serializeConfig(monitorConfig ?? {})],
    traceId: TEXT.nullable(),
  },
  'CheckIn',
);
