import { z } from 'zod';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { LEVEL } from '#app/api/0/shapes/parts.ts';
import { isMonitorIssueType, type MonitorIssueType } from '#protocol/monitor-issue.ts';
import {
  type EvidenceSpan,
  type Occurrence,
  PERFORMANCE_ISSUE_NAMES,
  type PerformanceIssueType,
} from '#protocol/performance-issue.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

const TEXT = z.string();
const IDS = z.array(TEXT);

/** Evidence of a performance issue, or of a monitor that failed, whose evidence is only for display. Source: https://docs.sentry.io/api/events/retrieve-an-issue-event/ */
export const OCCURRENCE = z
  .object({
    id: TEXT,
    projectId: z.number(),
    eventId: TEXT,
    fingerprint: IDS,
    issueTitle: TEXT,
    subtitle: TEXT,
    culprit: TEXT,
    resourceId: z.null(),
    type: z.number(),
    level: LEVEL,
    detectionTime: TEXT,
    evidenceData: z
      .object({
        op: TEXT,
        transactionName: TEXT,
        parentSpanIds: IDS,
        causeSpanIds: IDS,
        offenderSpanIds: IDS,
        numRepeatingSpans: TEXT,
        repeatingSpans: TEXT,
      })
      .partial(),
    evidenceDisplay: z.array(z.object({ name: TEXT, value: TEXT, important: z.boolean() })),
  })
  .meta({ id: 'Occurrence' });

/** Source: src/sentry/issues/grouptype.py of Sentry. */
const TYPE_NUMBERS: Readonly<Record<PerformanceIssueType | MonitorIssueType, number>> = {
  monitor_check_in_failure: 4001,
  uptime_domain_failure: 7001,
  performance_slow_db_query: 1001,
  performance_render_blocking_asset_span: 1004,
  performance_n_plus_one_db_queries: 1006,
  performance_consecutive_db_queries: 1007,
  performance_consecutive_http: 1009,
  performance_n_plus_one_api_calls: 1010,
  performance_uncompressed_assets: 1012,
  performance_large_http_payload: 1015,
};

/** null for what was sent. */
export function serializeOccurrence(event: OccurrenceSource): z.infer<typeof OCCURRENCE> | null {
  const { eventId, projectId, groupingHash, culprit, receivedAt, payload } = event;
  const shown = shownOf(event);
  if (!shown) return null;
  return {
    id: eventId,
    projectId,
    eventId,
    fingerprint: [groupingHash],
    culprit,
    resourceId: null,
    level: payload.level,
    detectionTime: isoOfMs(receivedAt),
    ...shown,
  };
}

type OccurrenceSource = Omit<StoredEvent, 'tags'>;
type Shown = Pick<
  z.infer<typeof OCCURRENCE>,
  'type' | 'issueTitle' | 'subtitle' | 'evidenceData' | 'evidenceDisplay'
>;

function shownOf({ payload: { occurrence, monitor, type }, title, culprit }: OccurrenceSource): Shown | null {
  if (occurrence) return shownSpans(occurrence, culprit);
  if (!monitor || !isMonitorIssueType(type)) return null;
  return {
    type: TYPE_NUMBERS[type],
    issueTitle: title,
    subtitle: monitor.reason,
    evidenceData: {},
    evidenceDisplay: [
      { name: 'Failure reason', value: monitor.reason, important: true },
      ...monitor.facts.map((fact) => ({ ...fact, important: false })),
    ],
  };
}

function shownSpans({ type, description, spans, offenderCount }: Occurrence, culprit: string): Shown {
  const idsOf = (role: EvidenceSpan['role']) =>
    spans.filter((span) => span.role === role).map(({ spanId }) => spanId);
  const offender = spans.find(({ role }) => role === 'offender');
  return {
    type: TYPE_NUMBERS[type],
    issueTitle: PERFORMANCE_ISSUE_NAMES[type],
    subtitle: description,
    evidenceData: {
      op: offender?.op ?? '',
      transactionName: culprit,
      parentSpanIds: idsOf('parent'),
      causeSpanIds: idsOf('cause'),
      offenderSpanIds: idsOf('offender'),
      numRepeatingSpans: String(offenderCount),
      repeatingSpans: description,
    },
    evidenceDisplay: [{ name: 'Offending Spans', value: description, important: true }],
  };
}
