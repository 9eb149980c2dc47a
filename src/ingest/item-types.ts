import type { ItemHeader } from '#protocol/envelope.ts';
import type { Category } from '#protocol/outcome.ts';
import { REQUEST_BOUNDS } from './request-bounds.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Items that share a count and a sum of bytes within one request. */
export type Slot = {
  name: string;
  itemBytesMax: number;
  countMax: number;
  totalBytesMax: number;
  /** More than the count is a mistake of the sender, not a matter of size. */
  isSingle?: true;
};

/**
 * What one envelope may hold. A breach refuses all of it with 413, as the reference does.
 * Source: relay-server/src/utils/sizes.rs and the defaults of relay-config/src/config.rs.
 */
const slot = (name: string, itemBytesMax: number, countMax = 1, totalBytesMax = itemBytesMax): Slot => ({
  name,
  itemBytesMax,
  countMax,
  totalBytesMax,
});
const EVENT: Slot = { ...slot('event', REQUEST_BOUNDS.eventBytesMax), isSingle: true };
const ATTACHMENT = slot(
  'attachment',
  REQUEST_BOUNDS.attachmentBytesMax,
  REQUEST_BOUNDS.attachmentsMax,
  REQUEST_BOUNDS.attachmentBytesMax,
);
const USER_REPORT = slot(
  'user report',
  REQUEST_BOUNDS.eventBytesMax,
  REQUEST_BOUNDS.attachmentsMax,
  30 * MIB,
);
const SESSION = slot('session', 10 * MIB, 100);
const PROFILE = slot('profile', 50 * MIB);
const REPLAY_RECORDING = slot('replay recording', 10 * MIB);
const REPLAY_VIDEO = slot('replay video', 10 * MIB);
const SPAN = slot('span', 10 * MIB, 25);
const SPAN_CONTAINER = slot('span container', 10 * MIB);
const LOG = slot('log container', 2 * MIB);
const METRIC = slot('metric container', MIB);
const STATSD = slot('statsd', MIB);
const CHECK_IN = slot('check-in', REQUEST_BOUNDS.checkInBytesMax);
const CLIENT_REPORT = slot('client report', REQUEST_BOUNDS.clientReportBytesMax, 100);

export type ItemRule = {
  category: Category;
  slot: Slot;
  /** Its body may be large and goes to the blob store rather than into the record. */
  isBlob: boolean;
  /** It is about an event with an id, which is made when the envelope names none. */
  needsEventId: boolean;
};

const rule = (category: Category, of: Slot, marks: Partial<ItemRule> = {}): ItemRule => ({
  category,
  slot: of,
  isBlob: false,
  needsEventId: false,
  ...marks,
});
const EVENT_ID = { needsEventId: true };

/**
 * Every type of the envelope protocol that is taken.
 * Source: relay-server/src/envelope/item.rs (types, `requires_event`) and relay-base-schema/src/data_category.rs.
 */
const RULES: ReadonlyMap<string, ItemRule> = new Map(
  Object.entries({
    event: rule('error', EVENT, EVENT_ID),
    transaction: rule('transaction', EVENT, EVENT_ID),
    security: rule('security', EVENT, EVENT_ID),
    raw_security: rule('security', EVENT, EVENT_ID),
    nel: rule('security', EVENT),
    feedback: rule('feedback', EVENT, EVENT_ID),
    replay_event: rule('replay', EVENT, EVENT_ID),
    user_report: rule('user_report_v2', USER_REPORT, EVENT_ID),
    attachment: rule('attachment', ATTACHMENT, { isBlob: true, needsEventId: true }),
    unreal_report: rule('error', ATTACHMENT, { isBlob: true, needsEventId: true }),
    session: rule('session', SESSION),
    sessions: rule('session', SESSION),
    check_in: rule('monitor', CHECK_IN),
    client_report: rule('unknown', CLIENT_REPORT),
    span: rule('span', SPAN),
    log: rule('log_item', LOG),
    trace_metric: rule('trace_metric', METRIC),
    statsd: rule('statsd', STATSD),
    profile: rule('profile', PROFILE, { isBlob: true, needsEventId: true }),
    profile_chunk: rule('profile_chunk', PROFILE, { isBlob: true }),
    replay_recording: rule('replay', REPLAY_RECORDING, { isBlob: true }),
    replay_video: rule('replay', REPLAY_VIDEO, { isBlob: true }),
  }),
);

const CONTAINER_OF_SPANS: ItemRule = rule('span', SPAN_CONTAINER);

/** null for types that are not taken. */
export function ruleOf(header: Pick<ItemHeader, 'type' | 'contentType'>): ItemRule | null {
  if (header.type === 'span' && isContainer(header.contentType)) return CONTAINER_OF_SPANS;
  return RULES.get(header.type) ?? null;
}

const isContainer = (contentType: string | null): boolean =>
  contentType?.toLowerCase().startsWith('application/vnd.sentry.items.') ?? false;

/** Names that some SDKs use for another type: Android 8.10 and 8.11 for profile chunks. */
const ALIASES: ReadonlyMap<string, string> = new Map([['profile_chunk_ui', 'profile_chunk']]);
export const canonicalType = (type: string): string => ALIASES.get(type) ?? type;

/** Types that servers hand to each other; an envelope from outside that holds one is refused. */
export const isInternalType = (type: string): boolean => type === 'integration';

/** Types that are known and not taken; they still have a category. */
const OTHER_CATEGORIES: ReadonlyMap<string, Category> = new Map([
  ['metric_buckets', 'statsd'],
  ['otlp_traces', 'span'],
  ['otlp_logs', 'log_item'],
  ['otlp_metrics', 'trace_metric'],
]);

export const categoryOf = (type: string): Category =>
  RULES.get(canonicalType(type))?.category ?? OTHER_CATEGORIES.get(type) ?? 'unknown';

/** How many things an item counts for: a container as many as it says, everything else one. */
export function quantityOf(item: { type: string; itemCount: number | null }): number {
  return CONTAINERS.has(item.type) ? Math.max(1, Math.min(item.itemCount ?? 1, QUANTITY_MAX)) : 1;
}

const CONTAINERS: ReadonlySet<string> = new Set(['span', 'log', 'trace_metric']);
/** Elements that the header of a container may claim. */
const QUANTITY_MAX = 10_000;
