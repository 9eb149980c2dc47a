import { digestEnvelope, digestItem, isStoredType } from '#pipeline/digest-envelope.ts';
import { digestEvent } from '#pipeline/digest-event.ts';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import { parameterize } from '#pipeline/grouping/parameterize.ts';
import { compileIngestRules, type IngestRules } from '#pipeline/ingest-rules.ts';
import type { ItemContext, ItemOutcome, RawItem } from '#pipeline/item.ts';
import { culpritOf, describeEvent } from '#pipeline/title.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { NO_FILTERS, type PrivacySettings } from '#protocol/ingest-settings.ts';
import type { ExplainedGrouping, ExplainedItem, ExplainedOutcome, Explanation } from './explanation.ts';
import { listScrubbed } from './list-scrubbed.ts';

/** What the edge takes as one event. */
export const EVENT_BYTES_MAX = 1024 * 1024;

/** Items whose event stands for the whole envelope. */
const LEADING: ReadonlySet<string> = new Set(['event', 'transaction', 'security', 'raw_security', 'nel']);
/** Read by the edge, which makes outcomes of it, and never stored. */
const CLIENT_REPORT = 'client_report';

/** Explains the items of one request together: what is about an event that is dropped is dropped with it. */
export function explainEnvelopeItems(items: readonly RawItem[], context: ItemContext): Explanation {
  const tooLarge = items.find(({ type, payload }) => LEADING.has(type) && payload.length > EVENT_BYTES_MAX);
  if (tooLarge) {
    const detail = `An item of type ${tooLarge.type} is larger than ${EVENT_BYTES_MAX} bytes: the entire request is rejected`;
    const outcome = { outcome: 'invalid', reason: 'too_large', detail } as const;
    return { outcome, event: null, grouping: null, scrubbed: [], items: [] };
  }
  const outcomes = new Map<string, readonly ItemOutcome[]>();
  const taken = items.filter(({ type }) => type !== CLIENT_REPORT);
  digestEnvelope(
    taken,
    context,
    () => false,
    (item, each) => outcomes.set(item.itemId, each),
  );
  const explained = items.map((item) => explainItem(item, outcomes.get(item.itemId) ?? [], context));
  const leading = items.findIndex(({ type }) => LEADING.has(type));
  const first = explained[Math.max(leading, 0)];
  return {
    outcome: first ? outcomeOf(first, items[Math.max(leading, 0)] as RawItem, context) : NOTHING_SENT,
    event: first?.event ?? null,
    grouping: first?.grouping ?? null,
    scrubbed: first?.scrubbed ?? [],
    items: explained,
  };
}

const NOTHING_SENT: ExplainedOutcome = {
  outcome: 'accepted',
  reason: '',
  detail: 'The envelope has no items: nothing is stored',
};

function outcomeOf(explained: ExplainedItem, item: RawItem, context: ItemContext): ExplainedOutcome {
  const [first] = explained.outcomes;
  if (!first) return { ...NOTHING_SENT, detail: 'Processed by the edge but not stored' };
  return { outcome: first.outcome, reason: first.reason, detail: detailOf(item, first, context) };
}

function detailOf(item: RawItem, { outcome, reason }: ItemOutcome, context: ItemContext): string | null {
  if (outcome === 'accepted') return null;
  if (!isStoredType(item.type)) return `Items of type "${item.type.slice(0, 64)}" are not stored`;
  const result = digestEvent(item, context);
  if (result.kind === 'discarded' && result.reason === reason) return result.detail;
  return outcome === 'filtered' ? `Filtered by the project's inbound filter ${reason}` : null;
}

function explainItem(item: RawItem, outcomes: readonly ItemOutcome[], context: ItemContext): ExplainedItem {
  const nothing = { type: item.type, bytes: item.payload.length, outcomes, event: null, grouping: null };
  if (!isStoredType(item.type)) return { ...nothing, rows: {}, scrubbed: [] };
  // Without filters, so that what a dropped event would have been is seen, too.
  const { rules } = context;
  const stored = payloadOf(item, { ...context, rules: rulesWithout(rules, 'filters') });
  const normalized = payloadOf(item, { ...context, rules: rulesWithout(rules, 'filters and privacy') });
  if (stored === null || normalized === null) {
    const { rows } = digestItem(item, context);
    const filled = Object.entries(rows).filter(([, each]) => each.length > 0);
    return { ...nothing, rows: Object.fromEntries(filled), scrubbed: [] };
  }
  return {
    ...nothing,
    rows: {},
    event: { normalized: normalized.payload, stored: stored.payload },
    grouping: stored.event ? groupingOf(stored.event, rules.grouping) : null,
    scrubbed: listScrubbed(metaOf(normalized.payload), metaOf(stored.payload)),
  };
}

const rulesWithout = (
  { settings, grouping }: IngestRules,
  what: 'filters' | 'filters and privacy',
): IngestRules =>
  compileIngestRules(
    {
      ...settings,
      filters: NO_FILTERS,
      privacy: what === 'filters' ? settings.privacy : NO_PRIVACY,
    },
    grouping,
  );

type Payload = Readonly<Record<string, unknown>>;

/** The event or transaction that an item would be stored as; null for other items, and when it cannot be read. */
function payloadOf(
  item: RawItem,
  context: ItemContext,
): { payload: Payload; event: NormalizedEvent | null } | null {
  const { events, rows } = digestItem(item, context);
  const [event] = events;
  if (event) return { payload: event.payload, event: event.payload };
  const [transaction] = rows.transactions ?? [];
  return transaction ? { payload: transaction.payload, event: null } : null;
}

const metaOf = (payload: Payload): unknown => payload._meta;

function groupingOf(event: NormalizedEvent, rules: GroupingRules): ExplainedGrouping {
  const { hashes, variants, title, matchedRule } = groupEvent(event, rules);
  const [hash = ''] = hashes;
  const primary = Object.values(variants).find((variant) => variant.hash === hash);
  return {
    hash,
    hashes,
    variant: primary?.name ?? '',
    by: primary?.fingerprint ? 'fingerprint' : 'event',
    rule: matchedRule,
    parts: primary?.values ?? [],
    title: title ?? describeEvent(event).title,
    culprit: culpritOf(event),
  };
}

/** Leaves private data where it is. */
export const NO_PRIVACY: PrivacySettings = {
  defaultRules: false,
  scrubIpAddresses: false,
  sensitiveFields: [],
  safeFields: [],
  advancedRules: [],
  textAttachments: 'keep',
  recordings: 'keep',
};

/** A message with what varies in it (numbers, ids, dates, addresses) replaced by its kind: `user <int> not found`. */
export const parameterizeMessage = (message: string): string => parameterize(message);
