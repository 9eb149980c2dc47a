import { z } from 'zod';
import { anything, flag, number, text } from './primitives.ts';
import { projectCore } from './project-shapes.ts';

export const monitorEnvironment = z.looseObject({
  name: text,
  status: text,
  isMuted: flag,
  dateCreated: text,
  lastCheckIn: text,
  nextCheckIn: text,
  nextCheckInLatest: text,
  activeIncident: z
    .looseObject({
      startingTimestamp: text,
      resolvingTimestamp: text,
      brokenNotice: z
        .looseObject({ userNotifiedTimestamp: text, environmentMutedTimestamp: text })
        .nullable(),
    })
    .nullable(),
});

export const monitor = z.looseObject({
  alertRule: z
    .looseObject({
      targets: z.array(z.looseObject({ targetIdentifier: number, targetType: text })),
      environment: text,
    })
    .optional(),
  id: text,
  name: text,
  slug: text,
  status: text,
  isMuted: flag,
  isUpserting: flag,
  config: z.looseObject({
    schedule_type: text,
    schedule: z.union([z.array(number), text]),
    checkin_margin: number.nullable(),
    max_runtime: number.nullable(),
    timezone: text.nullable(),
    failure_issue_threshold: number.nullable(),
    recovery_threshold: number.nullable(),
    alert_rule_id: number.nullable(),
  }),
  dateCreated: text,
  project: projectCore,
  environments: monitorEnvironment,
  owner: z.looseObject({ type: text, id: text, name: text, email: text.optional() }),
});

export const checkIn = z.looseObject({
  groups: z.array(text).optional(),
  id: text,
  environment: text,
  status: text,
  duration: number.nullable(),
  dateCreated: text,
  dateAdded: text,
  dateUpdated: text,
  dateInProgress: text.nullable(),
  dateClock: text,
  expectedTime: text,
  monitorConfig: z.looseObject({
    schedule_type: text,
    schedule: z.union([z.array(number), text]),
    checkin_margin: number.nullable(),
    max_runtime: number.nullable(),
    timezone: text.nullable(),
    failure_issue_threshold: number.nullable(),
    recovery_threshold: number.nullable(),
    alert_rule_id: number.nullable(),
  }),
});

export const replay = z.looseObject({
  id: text.optional(),
  project_id: text.optional(),
  trace_ids: z.array(text).optional(),
  error_ids: z.array(text).optional(),
  environment: text.nullable().optional(),
  user: z
    .looseObject({
      id: text.nullable().optional(),
      username: text.nullable().optional(),
      email: text.nullable().optional(),
      ip: text.nullable().optional(),
      display_name: text.nullable().optional(),
      geo: z
        .looseObject({
          city: text.nullable().optional(),
          country_code: text.nullable().optional(),
          region: text.nullable().optional(),
          subdivision: text.nullable().optional(),
        })
        .optional(),
    })
    .optional(),
  sdk: z.looseObject({ name: text.nullable().optional(), version: text.nullable().optional() }).optional(),
  os: z.looseObject({ name: text.nullable().optional(), version: text.nullable().optional() }).optional(),
  browser: z
    .looseObject({ name: text.nullable().optional(), version: text.nullable().optional() })
    .optional(),
  device: z
    .looseObject({
      name: text.nullable().optional(),
      brand: text.nullable().optional(),
      model: text.nullable().optional(),
      family: text.nullable().optional(),
    })
    .optional(),
  ota_updates: z
    .looseObject({
      channel: text.nullable().optional(),
      runtime_version: text.nullable().optional(),
      update_id: text.nullable().optional(),
    })
    .optional(),
  is_archived: flag.nullable().optional(),
  clicks: z.array(z.record(z.string(), anything)).optional(),
  count_dead_clicks: number.nullable().optional(),
  count_rage_clicks: number.nullable().optional(),
  count_errors: number.nullable().optional(),
  duration: number.nullable().optional(),
  finished_at: text.nullable().optional(),
  started_at: text.nullable().optional(),
  activity: number.nullable().optional(),
  count_urls: number.nullable().optional(),
  replay_type: text.optional(),
  count_segments: number.nullable().optional(),
  platform: text.nullable().optional(),
  releases: z.array(text).optional(),
  dist: text.nullable().optional(),
  count_warnings: number.nullable().optional(),
  count_infos: number.nullable().optional(),
  has_viewed: flag.optional(),
});

/** At the top of a trace; errors of spans that are not there stand beside them. */
export const traceEntry = z.looseObject({
  event_id: text,
  event_type: text,
  project_id: number,
  project_slug: text,
  transaction: text,
});

export const traceSpan = traceEntry.extend({
  transaction_id: text,
  description: text.nullable(),
  op: text,
  name: text,
  parent_span_id: text.nullable(),
  profile_id: text,
  profiler_id: text,
  sdk_name: text,
  is_transaction: flag,
  start_timestamp: z.union([text, number]),
  end_timestamp: z.union([text, number]),
  duration: number,
  measurements: z.record(z.string(), number),
  children: z.array(anything),
  errors: z.array(anything),
  occurrences: z.array(anything),
});

export const traceMeta = z.looseObject({
  errorsCount: number,
  logsCount: number,
  metricsCount: number,
  performanceIssuesCount: number,
  spansCount: number,
  transactionChildCountMap: z.array(z.looseObject({ 'transaction.event_id': text, 'count()': number })),
  spansCountMap: z.record(z.string(), number),
});
