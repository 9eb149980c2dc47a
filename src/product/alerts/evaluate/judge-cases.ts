import { DAY_MS } from '#lib/time.ts';
import { readEvent } from '#pipeline/alerts/event-rules.ts';
import type { Stores } from '#product/stores.ts';
import type { WantedEvent } from '#storage/ports/alert-events.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import {
  type AlertCase,
  askEvent,
  askIssue,
  mayWait,
  needsEvent,
  needsPayload,
  verdictOf,
} from './alert-case.ts';
import { askCounts, type CountParts } from './judge-counts.ts';
import { askFirst } from './judge-first.ts';

/** An event waits in the spool for less than this before it writes an entry. */
const WAITED_MS_MAX = 7 * DAY_MS;

export type JudgeParts = CountParts & { stores: Pick<Stores, 'alertOutbox' | 'alertEvents'> };

/**
 * Those of the cases, all of one organization, that fire: the cheap questions first, each asked once for all cases that
 * hang on it. Hashes are those of the issues, of which there are at most a thousand. `eventIds` are of the events that were
 * looked at, by the id of the entry. `held` are ids of entries that have to wait: there was no time to settle one of their
 * cases, so none of them fires yet.
 */
export async function judgeCases(
  parts: JudgeParts,
  organizationId: number,
  cases: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
  nowMs: number,
): Promise<{
  fired: readonly AlertCase[];
  eventIds: ReadonlyMap<number, string>;
  held: ReadonlySet<number>;
}> {
  const open = () => cases.filter((one) => !one.isLate && verdictOf(one) === null);
  for (const one of cases) askIssue(one, nowMs);
  await askFirst(parts, organizationId, cases, hashes, nowMs);
  const eventIds = new Map<number, string>();
  await askEvents(parts, organizationId, open().filter(needsEvent), hashes, eventIds);
  await askCounts(parts, organizationId, open(), hashes, nowMs);
  const isHeld = (one: AlertCase): boolean => {
    const verdict = verdictOf(one);
    return verdict !== false && (one.isLate || verdict === null) && mayWait(one, nowMs);
  };
  const held = new Set(cases.filter(isHeld).map(({ entry }) => entry.id));
  const fired = cases.filter((one) => verdictOf(one) === true && !held.has(one.entry.id));
  return { fired, eventIds, held };
}

/** Looks at the event of each entry, once for all cases of it. */
export async function visitCaseEvents(
  { stores }: Pick<JudgeParts, 'stores'>,
  organizationId: number,
  cases: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
  withPayload: boolean,
  look: (cases: readonly AlertCase[], event: StoredEvent | null) => void | Promise<void>,
): Promise<void> {
  // An entry without an event: the newest one of the rule's environment stands for it.
  const groups = Map.groupBy(cases, ({ entry, rule }) =>
    entry.eventId === null ? `${entry.id} ${rule.environment ?? ''}` : `${entry.id}`,
  );
  const questions = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { entry, issue, rule } = first;
    const wanted = {
      projectId: issue.projectId,
      issueId: issue.id,
      hashes: hashes.get(issue.id) ?? [],
      eventId: entry.eventId,
      environment: rule.environment,
    };
    return { wanted, look: (event: StoredEvent | null) => look(group, event) };
  });
  const since = cases.reduce(
    (least, { entry }) => Math.min(least, entry.createdAt),
    Number.POSITIVE_INFINITY,
  );
  await visitEvents(stores, organizationId, questions, since - WAITED_MS_MAX, withPayload);
}

async function askEvents(
  parts: JudgeParts,
  organizationId: number,
  cases: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
  eventIds: Map<number, string>,
): Promise<void> {
  if (cases.length === 0) return;
  const asksRelease = cases.filter(({ rule }) =>
    rule.definition.filters.some(({ kind }) => kind === 'latest_release'),
  );
  const newest =
    asksRelease.length === 0
      ? new Map<number, string>()
      : await parts.stores.alertOutbox.findNewestReleases([
          ...new Set(asksRelease.map(({ issue }) => issue.projectId)),
        ]);
  for (const [withPayload, part] of Map.groupBy(cases, needsPayload)) {
    await visitCaseEvents(parts, organizationId, part, hashes, withPayload, (group, event) => {
      // Nothing waits for this but other entries, and none of it may be left out.
      const read = event ? readEvent(event, { left: Number.POSITIVE_INFINITY }) : null;
      for (const one of group) {
        if (event) eventIds.set(one.entry.id, event.eventId);
        askEvent(one, read, newest.get(one.issue.projectId));
      }
    });
  }
}

/** Events that are held at once: one with its payload may have a mebibyte of text, and several as objects. */
const PAYLOADS_AT_ONCE = 10;
const EVENTS_AT_ONCE = 250;

/** An event that somebody wants to look at. */
export type EventQuestion = {
  wanted: WantedEvent;
  /** null for an event that is gone. Nothing of it may be kept but small parts. */
  look(event: StoredEvent | null): void | Promise<void>;
};

/**
 * Reads events a few at a time and lets them go, until `isOver` says so. Answers how many were looked at.
 */
export async function visitEvents(
  { alertEvents }: Pick<Stores, 'alertEvents'>,
  organizationId: number,
  questions: readonly EventQuestion[],
  receivedSinceMs: number,
  withPayload: boolean,
  isOver: () => boolean = () => false,
): Promise<number> {
  const step = withPayload ? PAYLOADS_AT_ONCE : EVENTS_AT_ONCE;
  let looked = 0;
  for (; looked < questions.length && !isOver(); looked += step) {
    const part = questions.slice(looked, looked + step);
    const events = await alertEvents.findEvents(
      organizationId,
      part.map(({ wanted }) => wanted),
      receivedSinceMs,
      withPayload,
    );
    for (const [index, { look }] of part.entries()) await look(events[index] ?? null);
  }
  return Math.min(looked, questions.length);
}
