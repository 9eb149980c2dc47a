import type { DigestedEvent } from '#protocol/event.ts';
import { TELEMETRY_KINDS, type TelemetryRows } from '#protocol/telemetry.ts';
import { digestAttachment } from './attachments/digest-attachment.ts';
import { digestCheckIn } from './check-ins/digest-check-in.ts';
import { digestCrashFiles } from './crash-reports/apply-crash.ts';
import { digestEvent } from './digest-event.ts';
import { digestFeedback, digestUserReport } from './feedback/digest-feedback.ts';
import {
  accepted,
  type DigestItem,
  discarded,
  type ItemContext,
  type ItemOutcome,
  type ItemResult,
  type RawItem,
} from './item.ts';
import { digestLogContainer } from './logs/digest-log-container.ts';
import { digestOtlpLogs } from './logs/digest-otlp-logs.ts';
import { digestMetricContainer } from './metrics/digest-metric-container.ts';
import { digestOtlpMetrics } from './metrics/digest-otlp-metrics.ts';
import { digestStatsd } from './metrics/digest-statsd.ts';
import { digestMonitorFailure, MONITOR_FAILURE_ITEM } from './monitor-failures/digest-monitor-failure.ts';
import { digestProblems } from './performance-issues/digest-problems.ts';
import { digestProfile, digestProfileChunk } from './profiles/digest-profile.ts';
import { digestReplayEvent, digestReplayRecording, digestReplayVideo } from './replays/digest-replay.ts';
import { scrubRows } from './scrub/scrub-row.ts';
import { digestNel, digestSecurityReport } from './security-reports/digest-reports.ts';
import { digestSession } from './sessions/digest-session.ts';
import { digestSessionAggregates } from './sessions/digest-session-aggregates.ts';
import { digestOtlpTraces, digestSpan, digestSpanContainer } from './traces/digest-spans.ts';
import { digestTransaction } from './traces/digest-transaction.ts';

/** Every item type that is stored, and what understands it. */
const DIGEST: Readonly<Record<string, DigestItem>> = {
  event: digestErrorEvent,
  security: digestSecurityReport,
  raw_security: digestSecurityReport,
  nel: digestNel,
  // One that could be read has become an event by now.
  unreal_report: () => discarded('error', 'invalid_unreal_report'),
  transaction: digestTransaction,
  span: (item, context) => (isContainer(item) ? digestSpanContainer : digestSpan)(item, context),
  otlp_traces: digestOtlpTraces,
  log: digestLogContainer,
  otlp_logs: digestOtlpLogs,
  trace_metric: digestMetricContainer,
  otlp_metrics: digestOtlpMetrics,
  statsd: digestStatsd,
  session: digestSession,
  sessions: digestSessionAggregates,
  check_in: digestCheckIn,
  feedback: digestFeedback,
  user_report: digestUserReport,
  attachment: digestAttachment,
  replay_event: digestReplayEvent,
  replay_recording: digestReplayRecording,
  replay_video: digestReplayVideo,
  profile: digestProfile,
  profile_chunk: digestProfileChunk,
  profile_chunk_ui: digestProfileChunk,
  [MONITOR_FAILURE_ITEM]: digestMonitorFailure,
};

export const STORED_TYPES: readonly string[] = Object.keys(DIGEST);
export const isStoredType = (type: string): boolean => Object.hasOwn(DIGEST, type);

const isContainer = (item: RawItem): boolean =>
  item.contentType?.startsWith('application/vnd.sentry.items.') ?? false;

type Fate = 'event' | 'replay';
/** Items that are about the event or the replay of their envelope, and share its fate. */
const DEPENDENT: ReadonlyMap<string, Fate> = new Map([
  ['attachment', 'event'],
  ['profile', 'event'],
  ['replay_recording', 'replay'],
]);
/** Items that bring the event of an envelope. */
const LEADING = new Set(['event', 'transaction', 'security', 'raw_security', 'nel', 'unreal_report']);
const fateDecidedBy = (type: string): Fate | null =>
  LEADING.has(type) ? 'event' : type === 'replay_event' ? 'replay' : null;

export type EnvelopeResult = {
  events: DigestedEvent[];
  rows: TelemetryRows;
  blobs: { key: string; bytes: Uint8Array }[];
  outcomes: ItemOutcome[];
};

export const emptyResult = (): EnvelopeResult => ({
  events: [],
  rows: Object.fromEntries(TELEMETRY_KINDS.map((kind) => [kind, []])) as unknown as TelemetryRows,
  blobs: [],
  outcomes: [],
});

/**
 * Understands the items of one request, the one that brings the event first. When that one is not stored, what depends
 * on it is not stored either, for the same reason. `isKnown` says whether an event of this id came before; `observe` is
 * told what became of each item.
 */
export function digestEnvelope(
  items: readonly RawItem[],
  context: ItemContext,
  isKnown: (eventId: string) => boolean,
  observe: (item: RawItem, outcomes: readonly ItemOutcome[]) => void = () => {},
): EnvelopeResult {
  const result = emptyResult();
  const refusals = new Map<Fate, ItemOutcome>();
  const stored = new Set<Fate>();
  for (const item of withCrash(items)) {
    const dependsOn = DEPENDENT.get(item.type);
    const refusal = dependsOn && !stored.has(dependsOn) ? refusals.get(dependsOn) : undefined;
    if (refusal) {
      const { outcome, reason } = refusal;
      const outcomes = digestItem(item, context).outcomes.map((each) =>
        each.outcome === 'accepted' ? { ...each, outcome, reason } : each,
      );
      result.outcomes.push(...outcomes);
      observe(item, outcomes);
      continue;
    }
    let digested = digestItem(item, context);
    const fate = fateDecidedBy(item.type);
    if (fate === 'event') digested = leaveOutDiscarded(leaveOutKnown(digested, isKnown), context);
    else if (digested.events.length > 0) digested = withNewEvents(digested, isKnown, context);
    if (fate !== null) {
      const [outcome] = digested.outcomes;
      if (digested.outcomes.some((each) => each.outcome === 'accepted')) stored.add(fate);
      else if (outcome) refusals.set(fate, outcome);
    }
    add(result, digested);
    observe(item, digested.outcomes);
  }
  nameProfile(result.rows);
  return result;
}

/** Some SDKs (Python, Node 8) do not say in a transaction which profile is its own: it is the one beside it. */
function nameProfile(rows: TelemetryRows): void {
  const profile = rows.profiles.find(({ kind }) => kind === 'profile');
  if (!profile) return;
  rows.transactions = rows.transactions.map((row) => ({
    ...row,
    profileId: row.profileId ?? profile.profileId,
  }));
}

/** Understands one item by itself. */
export function digestItem(item: RawItem, context: ItemContext): ItemResult {
  const digest = DIGEST[item.type];
  if (!digest) return discarded('unknown', 'unsupported_item', 'filtered');
  const result = digest(item, context);
  const rows = scrubRows(result.rows, context.rules.scrubber);
  const problems = digestProblems(rows, context);
  return { ...result, rows, events: [...result.events, ...problems] };
}

function digestErrorEvent(item: RawItem, context: ItemContext): ItemResult {
  const result = digestEvent(item, context);
  switch (result.kind) {
    case 'transaction':
      return digestTransaction(item, context);
    case 'discarded':
      return discarded('error', result.reason, result.outcome);
    case 'event':
      return withCrashFiles({ ...accepted('error', {}), events: [result.event] }, item, context);
  }
}

/** What was packed into a crash report besides the crash: its files, and what the user wrote. */
function withCrashFiles(event: ItemResult, item: RawItem, context: ItemContext): ItemResult {
  const files = digestCrashFiles(item, context);
  if (files === null) return event;
  return {
    ...event,
    rows: { ...event.rows, ...files.rows },
    outcomes: [...event.outcomes, ...files.outcomes],
  };
}

/**
 * What decides the fate of others first; a crash dump speaks through the event beside it, or through one made for it.
 * A report of Unreal that could be read is that event, or part of it.
 */
function withCrash(items: readonly RawItem[]): RawItem[] {
  const leading = items.filter((item) => LEADING.has(item.type));
  const others = [
    ...items.filter((item) => item.type === 'replay_event'),
    ...items.filter((item) => !LEADING.has(item.type) && item.type !== 'replay_event'),
  ];
  const report = leading.find((item) => item.type === 'unreal_report' && item.crash?.kind === 'crash');
  const dump = report ?? others.find((item) => item.crash !== null);
  if (!dump) return [...leading, ...others];
  const beside = leading.find((item) => item.type === 'event');
  const event: RawItem = beside ?? {
    ...dump,
    type: 'event',
    contentType: null,
    payload: EMPTY_EVENT,
    blob: null,
  };
  const rest = leading.filter((item) => item !== beside && item !== report);
  return [{ ...event, crash: dump.crash }, ...rest, ...others];
}

const EMPTY_EVENT = Buffer.from('{}');

function leaveOutKnown(result: ItemResult, isKnown: (eventId: string) => boolean): ItemResult {
  const ids = [...result.events, ...(result.rows.transactions ?? [])].map(({ eventId }) => eventId);
  if (!ids.some(isKnown)) return result;
  return {
    events: [],
    rows: {},
    blobs: [],
    outcomes: result.outcomes.map((each) =>
      each.outcome === 'accepted' ? { ...each, outcome: 'invalid', reason: 'duplicate' } : each,
    ),
  };
}

/** Rows whose events came before, or belong to issues that were deleted for good, are stored without them. */
function withNewEvents(
  result: ItemResult,
  isKnown: (eventId: string) => boolean,
  { isDiscarded }: Pick<ItemContext, 'isDiscarded'>,
): ItemResult {
  const events = result.events.filter(
    ({ eventId, groupingHashes }) => !isKnown(eventId) && !isDiscarded?.(groupingHashes),
  );
  return { ...result, events };
}

function add(result: EnvelopeResult, digested: ItemResult): void {
  result.events.push(...digested.events);
  result.blobs.push(...digested.blobs);
  result.outcomes.push(...digested.outcomes);
  for (const kind of TELEMETRY_KINDS) {
    const rows = digested.rows[kind];
    // A container holds thousands: too many for the arguments of one call.
    if (rows) for (const row of rows) (result.rows[kind] as unknown[]).push(row);
  }
}

const FILTERED = { outcome: 'filtered', reason: 'discarded-hash' } as const;

/** Without the events of issues that were deleted together with their future: these are filtered. */
function leaveOutDiscarded(
  result: ItemResult,
  { isDiscarded }: Pick<ItemContext, 'isDiscarded'>,
): ItemResult {
  if (!isDiscarded || result.events.length === 0) return result;
  const events = result.events.filter((event) => !isDiscarded(event.groupingHashes));
  // What was found in a transaction was not sent: without it, the transaction is stored all the same.
  if (result.rows.transactions) return { ...result, events };
  const dropped = result.events.length - events.length;
  if (dropped === 0) return result;
  if (events.length === 0) {
    const outcomes = result.outcomes.map((each) =>
      each.outcome === 'accepted' ? { ...each, ...FILTERED } : each,
    );
    return { events: [], rows: {}, blobs: [], outcomes };
  }
  return { ...result, events, outcomes: moveQuantity(result.outcomes, dropped) };
}

/** A report of several events of which some are kept: so many of the accepted ones were filtered. */
function moveQuantity(outcomes: readonly ItemOutcome[], dropped: number): readonly ItemOutcome[] {
  const accepted = outcomes.find(({ outcome }) => outcome === 'accepted');
  if (!accepted) return outcomes;
  const rest = outcomes.filter((each) => each !== accepted);
  const kept = accepted.quantity - dropped;
  return [
    ...rest,
    ...(kept > 0 ? [{ ...accepted, quantity: kept }] : []),
    { ...accepted, ...FILTERED, quantity: dropped },
  ];
}
