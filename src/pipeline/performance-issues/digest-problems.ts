import { hash } from 'node:crypto';
import type { DigestedEvent, NormalizedEvent } from '#protocol/event.ts';
import {
  type EvidenceSpan,
  type Occurrence,
  PERFORMANCE_ISSUE_TYPES,
  type PerformanceIssueType,
} from '#protocol/performance-issue.ts';
import type { DigestedSpan, TelemetryRows } from '#protocol/telemetry.ts';
import { deriveTags } from '../derive-tags.ts';
import { groupEvent } from '../grouping/group-event.ts';
import type { ItemContext } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { cutText } from '../normalize/safe-text.ts';
import { culpritOf, describeEvent } from '../title.ts';
import { isTag, objectAt, textAt } from '../traces/transaction-row.ts';
import { type DetectedProblem, detectProblems } from './detect-problems.ts';
import { type Examined, examinedOf } from './examined.ts';

/** Offenders that are kept as evidence; the trace has all of them. */
const EVIDENCE_OFFENDERS_MAX = 20;
/** Description of a problem, and of each span that shows it. */
const DESCRIPTION_CHARS_MAX = 1_000;

/**
 * The problems in a transaction, or in a segment of spans that came by themselves, as events of performance issues. They
 * are made from rows as they are stored, so that nothing is in them that was scrubbed. An event ID is made from what was
 * examined and the grouping hash: digested again, it is the same. Nobody sent these events: they have no outcomes and
 * count against no quota.
 */
export function digestProblems(rows: Partial<TelemetryRows>, context: ItemContext): DigestedEvent[] {
  const types = detectedTypes(context);
  if (types.length === 0) return [];
  return examinedOf(rows).flatMap((examined) =>
    detectProblems(examined, examined.spans, types).map((problem) => toEvent(problem, examined, context)),
  );
}

function detectedTypes({ rules, mayDetect }: ItemContext): readonly PerformanceIssueType[] {
  const { isEnabled, disabledDetectors } = rules.settings.performance;
  if (mayDetect !== true || !isEnabled) return [];
  return PERFORMANCE_ISSUE_TYPES.filter((type) => !disabledDetectors.includes(type));
}

function toEvent(problem: DetectedProblem, examined: Examined, { rules }: ItemContext): DigestedEvent {
  const draft = payloadOf(problem, examined);
  const { hashes } = groupEvent(draft, rules.grouping);
  const groupingHash = hashes[0] as string;
  const payload = { ...draft, event_id: hash('md5', `${examined.identity}:${groupingHash}`) };
  const { title, metadata } = describeEvent(payload);
  const { organizationId, projectId, keyId, receivedAt, platform, traceId, user, sdk } = examined;
  return {
    organizationId,
    projectId,
    keyId,
    receivedAt,
    platform,
    traceId,
    user,
    sdk,
    eventId: payload.event_id,
    type: payload.type,
    level: payload.level,
    occurredAt: Math.round(payload.timestamp * 1_000),
    title,
    culprit: culpritOf(payload),
    message: metadata.value ?? '',
    metadata,
    groupingHash,
    groupingHashes: hashes,
    logger: null,
    release: examined.release,
    dist: examined.dist,
    environment: examined.environment,
    transaction: examined.name,
    tags: deriveTags(payload),
    hasBody: true,
    payload,
  };
}

/** Of what was examined, what tells where and for whom it happened; the trace has the rest. */
function payloadOf(problem: DetectedProblem, examined: Examined): NormalizedEvent {
  const { payload } = examined;
  const { type } = problem;
  const description = cutText(problem.description, DESCRIPTION_CHARS_MAX);
  const contexts = Object.entries(objectAt(payload, 'contexts')).filter(
    (entry): entry is [string, Source] => isSource(entry[1]) && entry[0] !== 'trace',
  );
  const [first] = problem.offenders;
  return {
    // Made from the hash of the rest.
    event_id: '',
    type,
    level: 'info',
    platform: examined.platform,
    timestamp: examined.endedAtUs / 1_000_000,
    received: examined.receivedAt / 1_000,
    transaction: examined.name,
    fingerprint: [type, ...problem.fingerprint],
    release: examined.release,
    dist: examined.dist,
    environment: examined.environment,
    server_name: textAt(payload, 'server_name'),
    tags: (Array.isArray(payload.tags) ? payload.tags : []).filter(isTag),
    contexts: {
      ...Object.fromEntries(contexts),
      // The event is shown at the first span that shows the problem.
      trace: {
        ...objectAt(objectAt(payload, 'contexts'), 'trace'),
        trace_id: examined.traceId,
        span_id: first?.spanId ?? examined.spanId,
      },
    },
    ...sectionOf(payload, 'request'),
    ...sectionOf(payload, 'user'),
    ...sectionOf(payload, 'sdk'),
    occurrence: occurrenceOf(problem, description, examined),
  };
}

const sectionOf = (payload: Source, name: 'request' | 'user' | 'sdk'): Partial<NormalizedEvent> =>
  isSource(payload[name]) ? { [name]: payload[name] } : {};

function occurrenceOf(
  { type, offenders, cause, parent, durationUs, savableUs, bytes, fcpMs }: DetectedProblem,
  description: string,
  { transactionId, startedAtUs, endedAtUs }: Examined,
): Occurrence {
  const evidence = (role: EvidenceSpan['role'], span: DigestedSpan): EvidenceSpan => ({
    role,
    spanId: span.spanId,
    op: span.op,
    description: cutText(span.name, DESCRIPTION_CHARS_MAX),
    offsetUs: span.startedAtUs - startedAtUs,
    durationUs: span.durationUs,
  });
  return {
    type,
    description,
    transactionId,
    transactionDurationUs: endedAtUs - startedAtUs,
    spans: [
      ...(parent ? [evidence('parent', parent)] : []),
      ...(cause ? [evidence('cause', cause)] : []),
      ...offenders.slice(0, EVIDENCE_OFFENDERS_MAX).map((span) => evidence('offender', span)),
    ],
    offenderCount: offenders.length,
    offenderDurationUs: durationUs,
    savableUs,
    bytes,
    fcpMs,
  };
}
