import type { Transaction } from 'kysely';
import { unavailable } from '#lib/errors.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { FindIssueOwner } from '#storage/ports/digest.ts';
import type { Database } from '#storage/sql/schema.ts';
import { createIssues, findIssueIds } from './create-issues.ts';
import { foldEvents, hashKey, type IssueDelta, mergeDeltas } from './issue-delta.ts';
import { type TouchedIssue, writeIssueEntries, writeTexts } from './issue-outbox.ts';
import { writeOwners } from './issue-owners.ts';
import { updateIssues } from './update-issues.ts';

export type AssignedIssues = {
  /** Of each grouping hash of the batch (`projectId:hash`); hashes of projects that are gone are missing. */
  issueIds: ReadonlyMap<string, number>;
  newIssues: number;
  regressions: number;
};

/**
 * Finds or creates the issue of every event, and moves counters, times, states and texts. An issue is found by any of
 * an event's hashes, the first known one, and the others become its own. `newReleases` may have appeared with the
 * batch. Locks are taken in one order by everybody: projects by id, then issues by id. A project's lock is only needed
 * to map hashes in it, and then keeps others from mapping the same ones.
 */
export async function assignIssues(
  transaction: Transaction<Database>,
  events: readonly DigestedEvent[],
  around: {
    newReleases: readonly { projectId: number; version: string }[];
    findOwner: FindIssueOwner;
  },
  nowMs: number,
): Promise<AssignedIssues> {
  const deltas = foldEvents(events);
  const issueIds = await findIssueIds(transaction, deltas);
  const isMapped = (delta: IssueDelta) =>
    delta.hashes.every((hash) => issueIds.has(hashKey(delta.projectId, hash)));
  const incomplete = deltas.filter((delta) => !isMapped(delta));
  const created = incomplete.length === 0 ? [] : await createIssues(transaction, incomplete, issueIds, nowMs);
  const createdIds = new Set(created.map((issue) => issue.issueId));

  const known = new Map<number, IssueDelta>();
  for (const delta of deltas) {
    const issueId = issueIds.get(hashKey(delta.projectId, delta.hashes[0]!));
    if (issueId === undefined || createdIds.has(issueId)) continue;
    const merged = known.get(issueId);
    known.set(issueId, merged ? mergeDeltas(merged, delta) : delta);
  }
  const updated = await updateIssues(transaction, known, around.newReleases, nowMs);
  if (updated.length < known.size) {
    throw unavailable('An issue was deleted while its events were counted: they are counted anew');
  }
  const touched: readonly TouchedIssue[] = [...created, ...updated.filter((issue) => issue.isNewest)];
  await writeTexts(transaction, touched);
  await writeIssueEntries(transaction, created, updated, nowMs);
  await writeOwners(
    transaction,
    [...created, ...updated.filter(({ transition }) => transition)],
    around.findOwner,
    nowMs,
  );
  const regressions = updated.filter(({ transition }) => transition?.kind === 'regression').length;
  return { issueIds, newIssues: created.length, regressions };
}
