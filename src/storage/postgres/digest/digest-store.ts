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
      if (range.to < range.from) throw new Error(`A range from ${range.from} cannot end at ${range.to}`);
      forgetOldNames(seen, nowMs);
      let remember = () => {};
      let rememberNotified = () => {};
      const hits = findHits(events, findEventHits);
      try {
        const result = await db.transaction().execute(async (transaction): Promise<AssignResult> => {
          if ((await lockPosition(transaction, range.spoolId)) !== range.from) return NOT_APPLIED;
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
          await movePosition(transaction, range, nowMs);
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

/** Everybody who assigns from this spool waits here for the one before. */
async function lockPosition(transaction: Transaction<Database>, spoolId: string): Promise<number> {
  const select = () =>
    query<{ position: number }>`
      SELECT position FROM spool_positions WHERE spool_id = ${spoolId} FOR UPDATE`.first(transaction);
  const known = await select();
  if (known) return known.position;
  await sql`INSERT INTO spool_positions (spool_id, position) VALUES (${spoolId}, 0) ON CONFLICT DO NOTHING`.execute(
    transaction,
  );
  return (await select())!.position;
}

async function movePosition(
  transaction: Transaction<Database>,
  range: SpoolRange,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('spool_positions')
    .set({ position: range.to, updated_at: new Date(nowMs) })
    .where('spool_id', '=', range.spoolId)
    .execute();
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
