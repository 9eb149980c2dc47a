import { sql, type Transaction } from 'kysely';
import type { DigestedEvent } from '#protocol/event.ts';
import type { EventHit, FindEventHits } from '#storage/ports/digest.ts';
import { findLastFired } from '../alert-firings.ts';
import { notifyNews } from '../alert-notices.ts';
import { KnownKeys } from '../known-keys.ts';
import type { Database } from '../schema.ts';
import { toStorableJson } from '../storable-json.ts';
import { hashKey } from './issue-delta.ts';

/** Pairs of a rule and an issue that are remembered, about 100 bytes each; forgetting one costs a piece of news. */
const TOLD_MAX = 100_000;

/** So long nobody touches news that is known to fit: the worker has it by then. */
const REST_MS = 2_000;

/** Until when a rule need not hear of an issue again, in milliseconds since the epoch. */
export type ToldRules = KnownKeys<number>;

export const createToldRules = (): ToldRules => new KnownKeys(TOLD_MAX);

/** Which rules want to hear of which events; most events concern none, and cost nothing more. */
export function findHits(
  events: readonly DigestedEvent[],
  find: FindEventHits,
): readonly { event: DigestedEvent; hit: EventHit }[] {
  return events.flatMap((event) => find(event).map((hit) => ({ event, hit })));
}

/**
 * News for rules that look at each event, one for each rule and issue, of issues that are open, unless the rule is quiet
 * about the issue. Where one waits still, the newer event takes its place, unless that one is known to fit or may be the
 * first. Answers what to call once the transaction is committed.
 */
export async function writeEventNews(
  transaction: Transaction<Database>,
  hits: ReturnType<typeof findHits>,
  issueIds: ReadonlyMap<string, number>,
  told: ToldRules,
  nowMs: number,
): Promise<() => void> {
  const news = new Map<string, Found>();
  for (const { event, hit } of hits) {
    const issueId = issueIds.get(hashKey(event.projectId, event.groupingHash));
    if (issueId === undefined || (told.get(toldKey(hit, issueId)) ?? 0) > nowMs) continue;
    const key = `${hit.ruleId}:${issueId}`;
    const known = news.get(key)?.hit;
    if (known?.verdict !== 'fits' && known?.kind !== 'first_seen') news.set(key, { event, hit, issueId });
  }
  const loud = await keepLoud(transaction, [...news.values()], told, nowMs);
  if (loud.length === 0) return () => {};
  const rows = loud.map(({ event, hit, issueId }) => ({
    organization_id: event.organizationId,
    project_id: event.projectId,
    issue_id: issueId,
    kind: hit.kind,
    rule_id: hit.ruleId,
    event_id: event.eventId,
    data: { ruleVersion: hit.ruleVersion, verdict: hit.verdict },
  }));
  const { rows: written } = await sql<{ rule_id: number; issue_id: number }>`
    INSERT INTO outbox (organization_id, project_id, issue_id, kind, rule_id, event_id, data, created_at)
    SELECT news.organization_id, news.project_id, news.issue_id, news.kind, news.rule_id, news.event_id, news.data,
      ${new Date(nowMs)}
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS news (organization_id bigint, project_id bigint,
      issue_id bigint, kind text, rule_id bigint, event_id text, data jsonb)
    JOIN issues ON issues.id = news.issue_id AND issues.status = 'unresolved'
    ORDER BY news.rule_id, news.issue_id
    ON CONFLICT (rule_id, issue_id) WHERE done_at IS NULL AND rule_id IS NOT NULL
      DO UPDATE SET kind = excluded.kind, event_id = excluded.event_id, data = excluded.data,
        created_at = excluded.created_at, version = outbox.version + 1
      WHERE outbox.data ->> 'verdict' <> 'fits' AND outbox.kind <> 'first_seen'
        OR outbox.data -> 'ruleVersion' <> excluded.data -> 'ruleVersion'
    RETURNING rule_id, issue_id`.execute(transaction);
  await notifyNews(transaction);
  return () => {
    for (const { rule_id, issue_id } of written) {
      const hit = news.get(`${rule_id}:${issue_id}`)?.hit;
      // An issue comes to an environment once. What hangs on the issue may fit with the next event.
      if (hit?.kind === 'first_seen') told.set(toldKey(hit, issue_id), Number.POSITIVE_INFINITY);
      else if (hit?.verdict === 'fits') told.set(toldKey(hit, issue_id), nowMs + REST_MS);
    }
  };
}

type Found = { event: DigestedEvent; hit: EventHit; issueId: number };

/** What fired counts, not what was written: news that the worker drops must not make a rule quiet. */
async function keepLoud(
  transaction: Transaction<Database>,
  news: readonly Found[],
  told: ToldRules,
  nowMs: number,
): Promise<readonly Found[]> {
  const last = await findLastFired(
    transaction,
    news.map(({ hit: { ruleId }, issueId }) => ({ ruleId, issueId })),
  );
  return news.filter(({ hit, issueId }) => {
    const lastAt = last.get(`${hit.ruleId}:${issueId}`);
    const untilMs = lastAt === undefined ? nowMs : lastAt + hit.frequencyMs;
    if (untilMs > nowMs) told.set(toldKey(hit, issueId), untilMs);
    return untilMs <= nowMs;
  });
}

const toldKey = ({ ruleId, ruleVersion }: EventHit, issueId: number): string =>
  `${ruleId}:${ruleVersion}:${issueId}`;
