import { type Kysely, sql, type Transaction } from 'kysely';
import type { OutcomeCount } from '#protocol/outcome.ts';
import type {
  AssignResult,
  DigestStore,
  FindEventHits,
  FindIssueOwner,
  SpoolRange,
} from '#storage/ports/digest.ts';
import { shareHashIndexes } from '#storage/sql/hash-index-lock.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { addOutcomes } from '#storage/sql/outcomes.ts';
import { addToQuarantine } from '#storage/sql/quarantine.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { assignIssues } from './assign-issues.ts';
import { countHashes } from './count-hashes.ts';
import {
  createSeenNames,
  findNewReleases,
  forgetNames,
  forgetOldNames,
  writeReleases,
} from './digest-releases.ts';
import { findHits, writeEventEntries } from './event-outbox.ts';
import { hashKey } from './issue-delta.ts';
import { queueCheckIns } from './monitor-check-ins.ts';
import { NotifiedRules } from './notified-rules.ts';

const NOT_APPLIED: AssignResult = { applied: false, newIssues: 0, regressions: 0 };

/** `findOwner` says whom a new issue belongs to, `findEventHits` which rules of alerts want to hear of an event. */
export function createDigestStore(
  db: Kysely<Database>,
  findOwner: FindIssueOwner = () => null,
  findEventHits: FindEventHits = () => [],
): DigestStore {
  const seen = createSeenNames();
  const notified = new NotifiedRules();
  return {
    async findPosition(spoolId) {
      const row = await db
        .selectFrom('spool_positions')
        .select('position')
        .where('spool_id', '=', spoolId)
        .executeTakeFirst();
      return row?.position ?? 0;
    },

    async assign(range, events, outcomes, quarantine, nowMs, named = [], checkIns = []) {
      const ranges = 'spoolId' in range ? [range] : range;
      for (const { from, to } of ranges) {
        if (to < from) throw new Error(`A range from ${from} cannot end at ${to}`);
      }
      forgetOldNames(seen, nowMs);
      let remember = () => {};
      let rememberNotified = () => {};
      const hits = findHits(events, findEventHits);
      try {
        const result = await db.transaction().execute(async (transaction): Promise<AssignResult> => {
          const positions = await lockPositions(
            transaction,
            ranges.map(({ spoolId }) => spoolId),
          );
          if (ranges.some(({ spoolId, from }) => positions.get(spoolId) !== from)) return NOT_APPLIED;
          await shareHashIndexes(
            transaction,
            events.map((event) => event.projectId),
          );
          const { issueIds, newIssues, regressions } = await assignIssues(
            transaction,
            events,
            { newReleases: findNewReleases([...events, ...named], seen), findOwner },
            nowMs,
          );
          const assigned = events.filter((event) =>
            issueIds.has(hashKey(event.projectId, event.groupingHash)),
          );
          await countHashes(transaction, assigned);
          remember = await writeReleases(transaction, assigned, issueIds, seen, named);
          rememberNotified = await writeEventEntries(transaction, hits, issueIds, notified, nowMs);
          await addOutcomes(transaction, correctOutcomes(outcomes, events, assigned));
          await addToQuarantine(transaction, quarantine, nowMs);
          await queueCheckIns(transaction, checkIns);
          await movePositions(transaction, ranges, nowMs);
          await notifyChanges(transaction, assigned);
          return { applied: true, newIssues, regressions };
        });
        remember();
        rememberNotified();
        return result;
      } catch (error) {
        // A row that is believed to be stored may have been deleted: the next try asks for all of them.
        forgetNames(seen, nowMs);
        throw error;
      }
    },
  };
}

/** Everybody who assigns from these spools waits here for the one before. */
async function lockPositions(
  transaction: Transaction<Database>,
  spoolIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const select = async () => {
    const rows = await query<{ spoolId: string; position: number }>`
      SELECT spool_id, position FROM spool_positions
      WHERE spool_id = ANY(${spoolIds}) ORDER BY spool_id FOR UPDATE`.execute(transaction);
    return new Map(rows.map(({ spoolId, position }) => [spoolId, position]));
  };
  const known = await select();
  if (known.size === spoolIds.length) return known;
  await sql`INSERT INTO spool_positions (spool_id, position)
    SELECT spool_id, 0 FROM unnest(${spoolIds}::text[]) AS spool_id ORDER BY spool_id ON CONFLICT DO NOTHING`.execute(
    transaction,
  );
  return await select();
}

async function movePositions(
  transaction: Transaction<Database>,
  ranges: readonly SpoolRange[],
  nowMs: number,
): Promise<void> {
  await sql`UPDATE spool_positions SET position = moved.position, updated_at = ${new Date(nowMs)}
    FROM unnest(${ranges.map(({ spoolId }) => spoolId)}::text[], ${ranges.map(({ to }) => to)}::bigint[])
      AS moved (spool_id, position)
    WHERE spool_positions.spool_id = moved.spool_id`.execute(transaction);
}

/** Events whose project was deleted while they waited have no issue: they were not accepted after all. */
function correctOutcomes(
  outcomes: readonly OutcomeCount[],
  events: readonly { projectId: number }[],
  assigned: readonly { projectId: number }[],
): readonly OutcomeCount[] {
  if (assigned.length === events.length) return outcomes;
  const alive = new Set(assigned.map((event) => event.projectId));
  const gone = new Set(events.map((event) => event.projectId).filter((projectId) => !alive.has(projectId)));
  return outcomes.map((count) =>
    count.outcome === 'accepted' && gone.has(count.projectId)
      ? { ...count, outcome: 'invalid', reason: 'project_deleted' }
      : count,
  );
}
