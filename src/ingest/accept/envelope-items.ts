import type {
  EnvelopeHeader,
  EnvelopeItem,
  EnvelopeReader,
  ItemDecision,
  ItemHeader,
} from '#protocol/envelope.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { ActiveLimit } from '#protocol/rate-limits.ts';
import { occupiedByReport } from '../blob-room.ts';
import { readClientReport } from '../client-report.ts';
import {
  canonicalType,
  categoryOf,
  type ItemRule,
  isInternalType,
  quantityOf,
  ruleOf,
  type Slot,
} from '../item-types.ts';
import type { ItemFacts, RecordOutcome } from '../spool-record.ts';
import { type Collected, type CollectedItem, makeEventId, readMinimalEvent } from './collected.ts';
import { type IngestDeps, Refusal } from './ingest-request.ts';
import type { Reading } from './spool-request.ts';
import type { StagedBody } from './staged-bodies.ts';

/** What was decided of an item by its header. */
type Plan = {
  rule: ItemRule | null;
  body: StagedBody | null;
  refusedBy: ActiveLimit | null;
  /** The project takes errors only, and this is none. */
  isUnwanted: boolean;
};

/** The items of one envelope: what is kept, where, and up to which bounds. */
export class EnvelopeItems {
  readonly #deps: IngestDeps;
  readonly #reading: Reading;
  /** One per item, in the order of the envelope. */
  #plans: Plan[] = [];
  #used = new Map<Slot, { count: number; bytes: number }>();
  #settled = 0;

  constructor(deps: IngestDeps, reading: Reading) {
    this.#deps = deps;
    this.#reading = reading;
  }

  /** Throws Refusal for what costs the whole envelope. */
  decide(header: ItemHeader, reader: EnvelopeReader): ItemDecision {
    this.#settle(reader.items);
    if (isInternalType(header.type)) {
      throw new Refusal(
        400,
        `Items of type ${header.type} are not accepted here: send them in their own format`,
        'internal_item',
      );
    }
    const rule = ruleOf({ ...header, type: canonicalType(header.type) });
    const { key } = this.#reading;
    const isUnwanted = key?.isInternal === true && header.type !== 'event';
    const plan: Plan = { rule, body: null, refusedBy: null, isUnwanted };
    this.#plans.push(plan);
    if (!rule || isUnwanted) return { kind: 'skip' };
    const bytesMax = this.#takeSlot(rule.slot, header.type);
    // What is going to be refused is counted as it streams by, and never held. Client reports have no limit.
    if (key && !isDump(header) && rule.category !== 'unknown') {
      plan.refusedBy =
        this.#deps.rateLimiter?.findRefusal(key, rule.category, this.#reading.receivedAtMs) ?? null;
    }
    if (plan.refusedBy) return { kind: 'skip' };
    if (!rule.isBlob || !key) return { kind: 'keep', bytesMax };
    const occupied = header.type === 'unreal_report' ? occupiedByReport : undefined;
    plan.body = this.#reading.bodies.open(key.projectId, occupied);
    return { kind: 'keep', bytesMax, sink: plan.body };
  }

  /** Items whose header was read. */
  seen(reader: EnvelopeReader): readonly { type: string; itemCount: number | null }[] {
    const headers = reader.items.map(({ header }) => header);
    if (reader.current) headers.push(reader.current);
    // Nothing was read of it, but something was sent.
    return headers.length > 0 ? headers : [{ type: 'event', itemCount: null }];
  }

  /** Throws Refusal. */
  collect(reader: EnvelopeReader, header: EnvelopeHeader): Collected {
    const items: CollectedItem[] = [];
    const outcomes: RecordOutcome[] = [];
    let needsEventId = false;
    for (const [index, item] of reader.items.entries()) {
      const plan = this.#plans[index];
      if (!plan?.rule) {
        outcomes.push(unsupported(item.header));
        continue;
      }
      if (plan.isUnwanted) {
        if (item.header.type !== 'client_report') outcomes.push(unwanted(item.header));
        continue;
      }
      if (item.header.type === 'client_report') {
        const times = { receivedAtMs: this.#reading.receivedAtMs, sentAtMs: header.sentAtMs };
        if (item.payload) outcomes.push(...readClientReport(item.payload, times));
        continue;
      }
      needsEventId ||= plan.rule.needsEventId;
      items.push(collectItem(item, plan));
    }
    return { eventId: readId(header, items, needsEventId), sentAtMs: header.sentAtMs, items, outcomes };
  }

  /** Counts what finished items have taken of their slots. */
  #settle(items: readonly EnvelopeItem[]): void {
    for (; this.#settled < items.length; this.#settled++) {
      const used = this.#used.get(this.#plans[this.#settled]?.rule?.slot ?? NO_SLOT);
      if (used) used.bytes += items[this.#settled]?.bytes ?? 0;
    }
  }

  /** Answers how many bytes the item may have. */
  #takeSlot(slot: Slot, type: string): number {
    const used = this.#used.get(slot) ?? { count: 0, bytes: 0 };
    this.#used.set(slot, used);
    if (used.count >= slot.countMax) {
      throw slot.isSingle
        ? new Refusal(
            400,
            `An envelope can contain only one event, and ${type} is a second one: send it in a separate envelope`,
            'duplicate_item',
          )
        : new Refusal(
            413,
            `An envelope can contain at most ${slot.countMax} of ${slot.name}: send the rest in another envelope`,
            'too_many_items',
          );
    }
    used.count += 1;
    return Math.min(slot.itemBytesMax, slot.totalBytesMax - used.bytes);
  }
}

const NO_SLOT: Slot = { name: '', itemBytesMax: 0, countMax: 0, totalBytesMax: 0 };
const EMPTY = new Uint8Array(0);

function collectItem({ header, payload }: EnvelopeItem, plan: Plan): CollectedItem {
  const facts = factsOf(header);
  return {
    type: canonicalType(header.type),
    body: plan.body ?? payload ?? EMPTY,
    ...(facts && { facts }),
    ...(plan.refusedBy && { refusedBy: plan.refusedBy }),
  };
}

/** Events say nothing in their header that digest would need. */
function factsOf(header: ItemHeader): ItemFacts | null {
  if (header.type === 'event' || header.type === 'transaction') return null;
  const facts: ItemFacts = {
    ...(header.contentType !== null && { contentType: header.contentType }),
    ...(header.filename !== null && { filename: header.filename }),
    ...(header.attachmentType !== null && { attachmentType: header.attachmentType }),
    ...(header.itemCount !== null && { itemCount: header.itemCount }),
    ...(header.platform !== null && { platform: header.platform }),
  };
  return Object.keys(facts).length > 0 ? facts : null;
}

const isDump = ({ attachmentType }: ItemHeader): boolean =>
  attachmentType === 'event.minidump' || attachmentType === 'event.applecrashreport';

const unsupported = (header: ItemHeader): RecordOutcome => ({
  category: categoryOf(header.type),
  outcome: 'filtered',
  reason: 'unsupported_item',
  quantity: quantityOf(header),
});

const unwanted = (header: ItemHeader): RecordOutcome => ({
  category: categoryOf(header.type),
  outcome: 'invalid',
  reason: 'errors_only',
  quantity: quantityOf(header),
});

/**
 * The envelope's id; without one that of the item that has one, or a new one when an item needs it. Throws Refusal when
 * the envelope's is none.
 */
function readId(
  header: EnvelopeHeader,
  items: readonly CollectedItem[],
  needsEventId: boolean,
): string | null {
  if (header.eventId !== null) {
    const id = parseEventId(header.eventId);
    if (id !== null) return id;
    if (!/^[0-]+$/.test(header.eventId)) {
      throw new Refusal(
        400,
        "The envelope's event_id is not 32 hex digits: fix it or omit it",
        'invalid_event_id',
      );
    }
  }
  if (!needsEventId) return null;
  for (const { type, body } of items) {
    if (!IDENTIFIED.has(type) || !(body instanceof Uint8Array)) continue;
    const { eventId } = readMinimalEvent(body);
    if (eventId !== null) return eventId;
  }
  return makeEventId();
}

/** Types whose payload holds the id of the event. */
const IDENTIFIED: ReadonlySet<string> = new Set([
  'event',
  'transaction',
  'security',
  'feedback',
  'replay_event',
  'user_report',
]);
