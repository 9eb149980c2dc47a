import { readEvent } from '#pipeline/alerts/event-filters.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { Stores } from '#storage/ports/stores.ts';
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
import { visitEvents } from './visit-events.ts';

const DAY_MS = 86_400_000;
/** An event waits in the spool for less than this before it makes news. */
const WAITED_MS_MAX = 7 * DAY_MS;

export type JudgeParts = CountParts & { stores: Pick<Stores, 'alertNews' | 'alertEvents'> };

/**
 * Those of the cases, all of one organization, that fire: the cheap questions first, each asked once for all cases that
 * hang on it. Hashes are those of the issues, of which there are at most a thousand. `eventIds` are of the events that were
 * looked at, by the id of the news. `held` are ids of news that have to wait: there was no time to settle one of their
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
  const held = new Set(cases.filter(isHeld).map(({ news }) => news.id));
  const fired = cases.filter((one) => verdictOf(one) === true && !held.has(one.news.id));
  return { fired, eventIds, held };
}

/** Looks at the event of each piece of news, once for all cases of it. */
export async function visitCaseEvents(
  { stores }: Pick<JudgeParts, 'stores'>,
  organizationId: number,
  cases: readonly AlertCase[],
  hashes: ReadonlyMap<number, readonly string[]>,
  withPayload: boolean,
  look: (cases: readonly AlertCase[], event: StoredEvent | null) => void | Promise<void>,
): Promise<void> {
  // News without an event: the newest one stands for it, of the environment of the rule.
  const groups = Map.groupBy(cases, ({ news, rule }) =>
    news.eventId === null ? `${news.id} ${rule.environment ?? ''}` : `${news.id}`,
  );
  const questions = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { news, issue, rule } = first;
    const wanted = {
      projectId: issue.projectId,
      issueId: issue.id,
      hashes: hashes.get(issue.id) ?? [],
      eventId: news.eventId,
      environment: rule.environment,
    };
    return { wanted, look: (event: StoredEvent | null) => look(group, event) };
  });
  const since = cases.reduce((least, { news }) => Math.min(least, news.createdAt), Number.POSITIVE_INFINITY);
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
      : await parts.stores.alertNews.findNewestReleases([
          ...new Set(asksRelease.map(({ issue }) => issue.projectId)),
        ]);
  for (const [withPayload, part] of Map.groupBy(cases, needsPayload)) {
    await visitCaseEvents(parts, organizationId, part, hashes, withPayload, (group, event) => {
      // Nothing waits for this but other news, and none of it may be left out.
      const read = event ? readEvent(event, { left: Number.POSITIVE_INFINITY }) : null;
      for (const one of group) {
        if (event) eventIds.set(one.news.id, event.eventId);
        askEvent(one, read, newest.get(one.issue.projectId));
      }
    });
  }
}
