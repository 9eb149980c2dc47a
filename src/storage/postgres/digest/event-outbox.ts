import { sql, type Transaction } from 'kysely';
import type { DigestedEvent } from '#protocol/event.ts';
import type { EventHit, FindEventHits } from '#storage/ports/digest.ts';
import { findLastFired } from '#storage/sql/last-fired.ts';
import { EVERY_RULE, notifyOutbox } from '#storage/sql/notices.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import { hashKey } from './issue-delta.ts';
import type { NotifiedRules } from './notified-rules.ts';

/** Pairs of a rule and an issue written in one batch: other batches wait for its transaction. */
const PAIRS_MAX = 2_000;

/** An entry known to match is left alone this long: the worker has it by then. */
const REST_MS = 2_000;

/** Which rules want to hear of which events; most events concern none, and cost nothing more. */
export function findHits(
  events: readonly DigestedEvent[],
  find: FindEventHits,
): readonly { event: DigestedEvent; hit: EventHit }[] {
  const fresh = events.filter((event) => !event.isImport);
  return fresh.flatMap((event) => find(event).map((hit) => ({ event, hit })));
}

/**
 * Outbox entries for rules that look at each event, one for each rule and issue, of issues that are open, unless the rule is quiet
 * about the issue. Where one waits still, the newer event takes its place, unless that one is known to fit or may be the
 * first. Beyond so many, an event is one entry for all rules of its project; what may be the first of an issue in
 * an environment is asked of a later event. Answers what to call once the transaction is committed.
 */
export async function writeEventEntries(
  transaction: Transaction<Database>,
  hits: ReturnType<typeof findHits>,
  issueIds: ReadonlyMap<string, number>,
  notified: NotifiedRules,
  nowMs: number,
): Promise<() => void> {
  const entries = new Map<string, Found>();
  for (const { event, hit } of hits) {
    const issueId = issueIds.get(hashKey(event.projectId, event.groupingHash));
    if (issueId === undefined || notified.isNotified(hit, issueId, nowMs)) continue;
    const key = `${hit.ruleId}:${issueId}`;
    const known = entries.get(key)?.hit;
    if (known?.verdict !== 'fits' && known?.kind !== 'first_seen') entries.set(key, { event, hit, issueId });
  }
  const found = [...entries.values()].sort((a, b) => urgency(a) - urgency(b));
  const loud = await keepLoud(transaction, found.slice(0, PAIRS_MAX), notified, nowMs);
  const rows = [
    ...loud.map((one) => toRow(one, one.hit)),
    ...lastOfIssues(found.slice(PAIRS_MAX)).map((one) =>
      toRow(one, { kind: 'event', ruleId: EVERY_RULE, ruleVersion: 0, verdict: 'unread' }),
    ),
  ];
  if (rows.length === 0) return () => {};
  const { rows: written } = await sql<{ rule_id: number; issue_id: number }>`
    INSERT INTO outbox (organization_id, project_id, issue_id, kind, rule_id, event_id, data, created_at)
    SELECT entries.organization_id, entries.project_id, entries.issue_id, entries.kind, entries.rule_id, entries.event_id, entries.data,
      ${new Date(nowMs)}
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS entries (organization_id bigint, project_id bigint,
      issue_id bigint, kind text, rule_id bigint, event_id text, data jsonb)
    JOIN issues ON issues.id = entries.issue_id AND issues.status = 'unresolved'
    ORDER BY entries.rule_id, entries.issue_id
    ON CONFLICT (rule_id, issue_id) WHERE done_at IS NULL AND rule_id IS NOT NULL
      DO UPDATE SET kind = excluded.kind, event_id = excluded.event_id, data = excluded.data,
        created_at = excluded.created_at, version = outbox.version + 1
      WHERE outbox.data ->> 'verdict' <> 'fits' AND outbox.kind <> 'first_seen'
        OR outbox.data -> 'ruleVersion' <> excluded.data -> 'ruleVersion'
    RETURNING rule_id, issue_id`.execute(transaction);
  await notifyOutbox(transaction);
  return () => {
    for (const { rule_id, issue_id } of written) {
      const hit = entries.get(`${rule_id}:${issue_id}`)?.hit;
      // What hangs on the issue may fit with the next event.
      if (hit?.kind === 'first_seen') notified.settle(hit, issue_id);
      else if (hit?.verdict === 'fits') notified.keepQuiet(hit, issue_id, nowMs + REST_MS);
    }
  };
}

type Found = { event: DigestedEvent; hit: EventHit; issueId: number };

/** What cannot wait for others comes first, then what fires for sure. */
const urgency = ({ hit: { kind, verdict } }: Found): number =>
  kind === 'first_seen' ? 0 : verdict === 'fits' ? 1 : 2;

function lastOfIssues(found: readonly Found[]): readonly Found[] {
  const events = found.filter(({ hit }) => hit.kind === 'event');
  return [...new Map(events.map((one) => [one.issueId, one])).values()];
}

const toRow = (
  { event, issueId }: Found,
  { kind, ruleId, ruleVersion, verdict }: Omit<EventHit, 'frequencyMs'>,
) => ({
  organization_id: event.organizationId,
  project_id: event.projectId,
  issue_id: issueId,
  kind,
  rule_id: ruleId,
  event_id: event.eventId,
  data: { ruleVersion, verdict },
});

/** What fired counts, not what was written: entries that the worker drops must not make a rule quiet. */
async function keepLoud(
  transaction: Transaction<Database>,
  entries: readonly Found[],
  notified: NotifiedRules,
  nowMs: number,
): Promise<readonly Found[]> {
  const last = await findLastFired(
    transaction,
    entries.map(({ hit: { ruleId }, issueId }) => ({ ruleId, issueId })),
  );
  return entries.filter(({ hit, issueId }) => {
    const lastAt = last.get(`${hit.ruleId}:${issueId}`);
    const untilMs = lastAt === undefined ? nowMs : lastAt + hit.frequencyMs;
    if (untilMs > nowMs) notified.keepQuiet(hit, issueId, untilMs);
    return untilMs <= nowMs;
  });
}
