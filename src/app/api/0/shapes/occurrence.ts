import { z } from 'zod';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { LEVEL } from '#app/api/0/shapes/parts.ts';
import {
  type EvidenceSpan,
  PERFORMANCE_ISSUE_NAMES,
  type PerformanceIssueType,
} from '#protocol/performance-issue.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

const TEXT = z.string();
const IDS = z.array(TEXT);

/** Evidence of a performance issue. Source: https://docs.sentry.io/api/events/retrieve-an-issue-event/ */
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
    evidenceData: z.object({
      op: TEXT,
      transactionName: TEXT,
      parentSpanIds: IDS,
      causeSpanIds: IDS,
      offenderSpanIds: IDS,
      numRepeatingSpans: TEXT,
      repeatingSpans: TEXT,
    }),
    evidenceDisplay: z.array(z.object({ name: TEXT, value: TEXT, important: z.boolean() })),
  })
  .meta({ id: 'Occurrence' });

/** Source: src/sentry/issues/grouptype.py of Sentry. */
const TYPE_NUMBERS: Readonly<Record<PerformanceIssueType, number>> = {
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
export function serializeOccurrence({
  eventId,
  projectId,
  groupingHash,
  culprit,
  receivedAt,
  payload: { occurrence, level },
}: Omit<StoredEvent, 'tags'>): z.infer<typeof OCCURRENCE> | null {
  if (!occurrence) return null;
  const { type, description, spans, offenderCount } = occurrence;
  const idsOf = (role: EvidenceSpan['role']) =>
    spans.filter((span) => span.role === role).map(({ spanId }) => spanId);
  const offender = spans.find(({ role }) => role === 'offender');
  return {
    id: eventId,
    projectId,
    eventId,
    fingerprint: [groupingHash],
    issueTitle: PERFORMANCE_ISSUE_NAMES[type],
    subtitle: description,
    culprit,
    resourceId: null,
    type: TYPE_NUMBERS[type],
    level,
    detectionTime: isoOfMs(receivedAt),
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
