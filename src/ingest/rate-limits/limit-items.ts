import type { KeyAdmission } from '#domain/projects.ts';
import type { ActiveLimit } from '#protocol/rate-limits.ts';
import { categoryOf, quantityOf } from '../item-types.ts';
import type { RecordOutcome } from '../spool-record.ts';
import type { CountedItem, RateLimiter } from './rate-limiter.ts';

/** What must be known of an item to decide whether it is let in. */
export type LimitableItem = {
  type: string;
  /** As the item's header says; null for everything but attachments. */
  attachmentType: string | null;
  /** Elements of a container; null for everything else. */
  itemCount: number | null;
  /** Set when the item was refused by its header, or its payload had no room; it stays refused, a crash dump too. */
  refusedBy?: ActiveLimit | null;
};

export type LimitedItems = {
  /** One per item, in the same order. */
  kept: readonly boolean[];
  outcomes: readonly RecordOutcome[];
  /** The limits that refused something. */
  limits: readonly ActiveLimit[];
  /** What was counted, to be given back should the request be refused after all. */
  admitted: readonly CountedItem[];
};

/**
 * Lets the items of one request in, or refuses them with an outcome each. The item that brings the event goes first:
 * what is about that event is refused with it and not counted. A crash dump is kept whenever its event is, whatever
 * the limit of attachments says: without it there is no event. Client reports and what no version knows are never
 * limited. Source: `EnvelopeLimiter` in relay-server/src/utils/rate_limits.rs.
 */
export function limitItems(
  rateLimiter: RateLimiter,
  key: Pick<KeyAdmission, 'quotas'>,
  items: readonly LimitableItem[],
  nowMs: number,
): LimitedItems {
  const refusals = Array<ActiveLimit | null>(items.length).fill(null);
  if (key.quotas.length === 0 && !items.some(({ refusedBy }) => refusedBy)) {
    return { kept: refusals.map(() => true), outcomes: [], limits: [], admitted: [] };
  }
  const admitted: CountedItem[] = [];
  const check = (index: number) => {
    const item = items[index]!;
    refusals[index] = item.refusedBy ?? null;
    const wanted = countedAs(item);
    if (item.refusedBy || !wanted) return;
    const refusal = rateLimiter.admit(key, [wanted], nowMs).refusedBy[0] ?? null;
    if (!refusal) admitted.push(wanted);
    refusals[index] = refusal;
  };
  const leading = findLeading(items);
  for (const index of leading) check(index);
  // The event is refused when every item that could bring it is.
  const first = leading.at(0);
  const eventRefusal =
    first !== undefined && leading.every((index) => refusals[index] !== null) ? refusals[first]! : null;
  for (const [index, item] of items.entries()) {
    if (leading.includes(index) || UNLIMITED.has(item.type)) continue;
    if (item.refusedBy) refusals[index] = item.refusedBy;
    else if (eventRefusal && DEPENDENT.has(item.type)) refusals[index] = eventRefusal;
    else if (!(first !== undefined && isDump(item))) check(index);
  }
  return {
    kept: refusals.map((refusal) => refusal === null),
    outcomes: items.flatMap((item, index) =>
      outcomesOf(item, refusals[index] ?? null, leading.includes(index)),
    ),
    admitted,
    limits: [
      ...new Map(refusals.filter((each) => each !== null).map((limit) => [limit.quota.id, limit])).values(),
    ],
  };
}

/** Items that bring the event of a request, and the category that it counts in. */
const LEADING = new Set(['event', 'transaction', 'security', 'raw_security', 'unreal_report', 'feedback']);
/** Items that are about the event of their request. */
const DEPENDENT = new Set(['attachment', 'profile', 'user_report', 'form_data']);
const UNLIMITED = new Set(['client_report']);
const DUMPS = new Set(['event.minidump', 'event.applecrashreport']);

/** Positions of the items that bring the event; without any, a crash dump does. */
function findLeading(items: readonly LimitableItem[]): number[] {
  const leading = items.flatMap(({ type }, index) => (LEADING.has(type) ? [index] : []));
  if (leading.length > 0) return leading;
  const dump = items.findIndex(isDump);
  return dump === -1 ? [] : [dump];
}

const isDump = ({ type, attachmentType }: LimitableItem): boolean =>
  type === 'attachment' && attachmentType !== null && DUMPS.has(attachmentType);

/** null for what no version knows. */
function countedAs(item: LimitableItem): CountedItem | null {
  const category = isDump(item) ? 'error' : categoryOf(item.type);
  return category === 'unknown' ? null : { category, quantity: quantityOf(item) };
}

function outcomesOf(item: LimitableItem, refusal: ActiveLimit | null, isLeading: boolean): RecordOutcome[] {
  if (!refusal) return [];
  const outcome = {
    outcome: 'rate_limited' as const,
    reason: refusal.quota.reasonCode,
    quantity: quantityOf(item),
  };
  const own: RecordOutcome = { ...outcome, category: categoryOf(item.type) };
  return isLeading && isDump(item) ? [{ ...outcome, category: 'error' }, own] : [own];
}
