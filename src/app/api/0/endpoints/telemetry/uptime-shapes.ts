import { z } from 'zod';
import { always, idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMsOrNull } from '#app/api/0/shapes/moments.ts';
import { UPTIME_REASONS, type UptimeCheck } from '#domain/uptime/check.ts';
import { UPTIME_METHODS } from '#domain/uptime/monitor.ts';
import type { ProjectUptimeMonitor } from '#product/uptime/uptime-monitors.ts';

const TEXT = z.string();
const NUMBER_OR_NULL = z.number().nullable();
/** Header values are never answered; sent back, this keeps what is stored. */
export const FILTERED_VALUE = '[Filtered]';

export const STATUS_RANGE = z.object({ from: z.number(), to: z.number() });
export const ASSERTION = z.union([
  z.object({ kind: z.literal('text'), text: TEXT, isAbsent: z.boolean() }),
  z.object({ kind: z.literal('json'), path: TEXT, equals: TEXT.nullable() }),
  z.object({ kind: z.literal('header'), name: TEXT, equals: TEXT.nullable() }),
]);
export const WINDOW = z.union([
  z.object({ kind: z.literal('once'), fromMs: z.number(), toMs: z.number() }),
  z.object({
    kind: z.literal('weekly'),
    weekday: z.number(),
    startMinute: z.number(),
    minutes: z.number(),
  }),
]);

/**
 * A monitor in Sentry's names, with what ours have besides; Sentry's tree of assertions is `statuses` and `assertions` here.
 * Source of the fields: src/sentry/uptime/endpoints/serializers.py of Sentry.
 */
export const [UPTIME_MONITOR, serializeUptimeMonitor] = shapeOf<ProjectUptimeMonitor>()(
  {
    id: [TEXT, ({ monitor }) => String(monitor.id)],
    projectSlug: [TEXT, ({ project }) => project.slug],
    environment: [TEXT.nullable(), ({ monitor }) => monitor.environment],
    name: [TEXT, ({ monitor }) => monitor.name],
    status: [z.enum(['active', 'disabled']), ({ monitor }) => (monitor.isEnabled ? 'active' : 'disabled')],
    /** 1 is up, or not known yet; 2 is down. */
    uptimeStatus: [
      z.union([z.literal(1), z.literal(2)]),
      ({ monitor }) => (monitor.state === 'down' ? 2 : 1),
    ],
    // Created by a person.
    mode: always(z.number(), 1),
    owner: [
      z.object({ type: z.enum(['user', 'team']), id: TEXT, name: TEXT }).nullable(),
      ({ monitor: { owner } }) => owner && { type: owner.kind, id: owner.id, name: owner.name },
    ],
    url: [TEXT, ({ monitor }) => monitor.url],
    method: [z.enum(UPTIME_METHODS), ({ monitor }) => monitor.definition.method],
    body: [TEXT.nullable(), ({ monitor }) => monitor.definition.body],
    headers: [
      z.array(z.tuple([TEXT, TEXT])),
      ({ monitor }) => monitor.definition.headerNames.map((name): [string, string] => [name, FILTERED_VALUE]),
    ],
    intervalSeconds: [z.number(), ({ monitor }) => monitor.intervalSeconds],
    timeoutMs: [z.number(), ({ monitor }) => monitor.definition.timeoutSeconds * 1_000],
    traceSampling: always(z.boolean(), false),
    downtimeThreshold: [z.number(), ({ monitor }) => monitor.definition.failuresMin],
    recoveryThreshold: [z.number(), ({ monitor }) => monitor.definition.recoveriesMin],
    followsRedirects: [z.boolean(), ({ monitor }) => monitor.definition.followsRedirects],
    statuses: [z.array(STATUS_RANGE), ({ monitor }) => [...monitor.definition.statuses]],
    assertions: [z.array(ASSERTION), ({ monitor }) => [...monitor.definition.assertions]],
    certificateDays: [z.number(), ({ monitor }) => monitor.definition.certificateDays],
    maintenance: [z.array(WINDOW), ({ monitor }) => [...monitor.definition.maintenance]],
    lastChecked: [TEXT.nullable(), ({ monitor }) => isoOfMsOrNull(monitor.lastCheckedAt)],
    lastProblem: [TEXT.nullable(), ({ monitor }) => monitor.lastProblem],
    certificateExpires: [TEXT.nullable(), ({ monitor }) => isoOfMsOrNull(monitor.certificateExpiresAt)],
  },
  'UptimeMonitor',
);

/** Source of the fields: src/sentry/uptime/endpoints/serializers.py (UptimeCheckEntry) of Sentry. */
export const [UPTIME_CHECK, serializeUptimeCheck] = shapeOf<UptimeCheck>()(
  {
    uptimeCheckId: [TEXT, 'checkId'],
    projectUptimeSubscriptionId: idOf('monitorId'),
    timestamp: isoMs('checkedAt'),
    scheduledCheckTime: isoMs('scheduledAt'),
    checkStatus: [
      z.enum(['success', 'failure', 'failure_incident', 'missed_window']),
      ({ status, isInIncident }) => {
        if (status === 'unknown') return 'missed_window';
        return status === 'failure' && isInIncident ? 'failure_incident' : status;
      },
    ],
    checkStatusReason: [z.enum(UPTIME_REASONS).nullable(), 'reason'],
    checkStatusDetail: [TEXT, 'detail'],
    httpStatusCode: [NUMBER_OR_NULL, 'statusCode'],
    durationMs: z.number(),
    dnsMs: NUMBER_OR_NULL,
    connectMs: NUMBER_OR_NULL,
    tlsMs: NUMBER_OR_NULL,
    firstByteMs: NUMBER_OR_NULL,
    traceId: TEXT,
    region: TEXT,
    regionName: [TEXT, 'region'],
    incidentStatus: [z.union([z.literal(0), z.literal(1)]), ({ isInIncident }) => (isInIncident ? 1 : 0)],
    isRetry: z.boolean(),
    isInMaintenance: z.boolean(),
    assertionFailureData: NULL,
  },
  'UptimeCheck',
);
