import type { DigestedSpan, DigestedTransaction, TelemetryRows } from '#protocol/telemetry.ts';
import type { Source } from '../normalize/field-reader.ts';
import { attributeText } from '../telemetry/attributes.ts';

type Shared = Pick<
  DigestedTransaction,
  | 'organizationId'
  | 'projectId'
  | 'keyId'
  | 'receivedAt'
  | 'traceId'
  | 'spanId'
  | 'name'
  | 'op'
  | 'platform'
  | 'startedAtUs'
  | 'endedAtUs'
  | 'release'
  | 'dist'
  | 'environment'
  | 'user'
  | 'sdk'
  | 'measurements'
>;

/** What is searched for problems: a transaction, or a segment of spans that came by themselves. */
export type Examined = Shared & {
  /** The same whenever it is digested again, and another one for everything else that is examined. */
  identity: string;
  /** null for a segment. */
  transactionId: string | null;
  /** Sections of the event as they are stored: contexts, request, user, sdk, tags. */
  payload: Source;
  spans: readonly DigestedSpan[];
};

/** Steps from a span to the segment that it belongs to. */
const ANCESTORS_MAX = 100;

/** The transactions among rows, or the segments where there is none. */
export function examinedOf({ transactions = [], spans = [] }: Partial<TelemetryRows>): Examined[] {
  if (transactions.length === 0) return segmentsOf(spans);
  return transactions.map((transaction) => ({
    ...transaction,
    identity: transaction.eventId,
    transactionId: transaction.eventId,
    spans:
      transactions.length === 1
        ? spans
        : spans.filter(({ transactionId }) => transactionId === transaction.eventId),
  }));
}

/**
 * Segments that came with spans below them. SDKs send a segment when it has ended, so that its span and those below it are
 * mostly in one request; what came in another one is not looked at.
 */
function segmentsOf(spans: readonly DigestedSpan[]): Examined[] {
  if (spans.length < 2) return [];
  const byId = new Map(spans.map((span) => [keyOf(span.traceId, span.spanId), span]));
  const members = new Map<DigestedSpan, DigestedSpan[]>();
  for (const span of spans) {
    if (span.isSegment) continue;
    const segment = segmentOf(span, byId);
    if (!segment) continue;
    const known = members.get(segment);
    if (known) known.push(span);
    else members.set(segment, [segment, span]);
  }
  return [...members].map(([segment, own]) => toExamined(segment, own));
}

const keyOf = (traceId: string, spanId: string): string => `${traceId}:${spanId}`;

/** The one that the span names, or else the nearest above it. */
function segmentOf(span: DigestedSpan, byId: ReadonlyMap<string, DigestedSpan>): DigestedSpan | null {
  const find = (spanId: string | null) =>
    spanId === null ? undefined : byId.get(keyOf(span.traceId, spanId));
  const named = find(span.segmentId);
  if (named?.isSegment) return named;
  let above = find(span.parentSpanId);
  for (let steps = 0; above && steps < ANCESTORS_MAX; steps++) {
    if (above.isSegment) return above;
    above = find(above.parentSpanId);
  }
  return null;
}

function toExamined(segment: DigestedSpan, spans: readonly DigestedSpan[]): Examined {
  const { organizationId, projectId, keyId, receivedAt, traceId, spanId, op, platform, attributes } = segment;
  const text = (...keys: readonly string[]) => attributeText(attributes, ...keys) ?? null;
  const user = {
    id: segment.userId,
    email: text('user.email'),
    username: text('user.name', 'user.username'),
    ip: text('user.ip_address', 'client.address'),
  };
  const sdk = { name: segment.sdkName, version: text('sentry.sdk.version') ?? '' };
  const { fcp } = attributes;
  return {
    organizationId,
    projectId,
    keyId,
    receivedAt,
    traceId,
    spanId,
    op,
    platform,
    user,
    sdk,
    identity: keyOf(traceId, spanId),
    transactionId: null,
    name: segment.segmentName || segment.name,
    startedAtUs: segment.startedAtUs,
    endedAtUs: segment.startedAtUs + segment.durationUs,
    release: segment.release,
    dist: text('sentry.dist'),
    environment: segment.environment,
    measurements: typeof fcp === 'number' ? { fcp } : {},
    payload: {
      ...(Object.values(user).some((part) => part !== null) && {
        user: { id: user.id, email: user.email, username: user.username, ip_address: user.ip },
      }),
      ...(sdk.name !== '' && { sdk }),
    },
    spans,
  };
}
