import { type Kysely, sql } from 'kysely';
import type { AlertTrigger } from '#domain/alerts/alert-rule.ts';
import type { AlertOutboxStore, IssueTransition, OutboxEntry } from '#storage/ports/alerts.ts';
import { findLastFired, finishEntries, finishMetric } from './alert-firings.ts';
import { findNewestReleases } from './newest-releases.ts';
import { EVERY_RULE } from './outbox-channel.ts';
import type { Database } from './schema.ts';

export const createAlertOutboxStore = (db: Kysely<Database>): AlertOutboxStore => ({
  async take(limit) {
    const { rows } = await sql<EntryRow>`
      SELECT id, version, organization_id, project_id, issue_id, kind, event_id, rule_id, data, created_at
      FROM outbox WHERE done_at IS NULL ORDER BY id LIMIT ${limit}`.execute(db);
    return rows.map(toEntry);
  },

  findLastFired: (pairs) => findLastFired(db, pairs),

  finish: (entries, firings, nowMs, issueQuietMs) =>
    db
      .transaction()
      .execute((transaction) => finishEntries(transaction, entries, firings, nowMs, issueQuietMs)),

  finishMetric: (rule, seenAt, reading, firing) =>
    db.transaction().execute((transaction) => finishMetric(transaction, rule, seenAt, reading, firing)),

  findNewestReleases: (projectIds) => findNewestReleases(db, projectIds),

  async listTransitions(organizationId, projectId, { fromMs, toMs }, limit) {
    const [first, returned] = await Promise.all([
      sql<{ id: number; at: Date; event_id: string | null }>`
        SELECT id, first_seen AS at, (
          SELECT data ->> 'eventId' FROM activities WHERE issue_id = issues.id AND type = 'first_seen' LIMIT 1
        ) AS event_id
        FROM issues WHERE organization_id = ${organizationId} AND project_id = ${projectId}
          AND first_seen >= ${new Date(fromMs)} AND first_seen < ${new Date(toMs)}
        ORDER BY first_seen DESC, id DESC LIMIT ${limit}`.execute(db),
      sql<{ id: number; at: Date; type: string; event_id: string | null }>`
        SELECT issues.id, a.at, a.type, a.data ->> 'eventId' AS event_id
        FROM activities a JOIN issues ON issues.id = a.issue_id
        WHERE a.type IN ('set_regression', 'set_escalating') AND a.at >= ${new Date(fromMs)}
          AND a.at < ${new Date(toMs)} AND issues.organization_id = ${organizationId}
          AND issues.project_id = ${projectId}
        ORDER BY a.at DESC LIMIT ${limit}`.execute(db),
    ]);
    const transitions = [
      ...first.rows.map((row): IssueTransition => transitionOf(row, 'first_seen')),
      ...returned.rows.map(
        (row): IssueTransition =>
          transitionOf(row, row.type === 'set_regression' ? 'regression' : 'escalation'),
      ),
    ];
    return transitions.sort((a, b) => b.at - a.at);
  },
});

const transitionOf = (
  row: { id: number; at: Date; event_id: string | null },
  trigger: IssueTransition['trigger'],
): IssueTransition => ({ issueId: row.id, trigger, eventId: row.event_id, at: row.at.getTime() });

type EntryRow = {
  id: number;
  version: number;
  organization_id: number;
  project_id: number;
  issue_id: number;
  kind: AlertTrigger;
  event_id: string | null;
  rule_id: number | null;
  data: { ruleVersion?: number; verdict?: 'fits' | 'open' | 'unread' };
  created_at: Date;
};

const toEntry = (row: EntryRow): OutboxEntry => ({
  id: row.id,
  version: row.version,
  organizationId: row.organization_id,
  projectId: row.project_id,
  issueId: row.issue_id,
  kind: row.kind,
  eventId: row.event_id,
  hit:
    row.rule_id === null || row.rule_id === EVERY_RULE
      ? null
      : {
          ruleId: row.rule_id,
          ruleVersion: row.data.ruleVersion ?? 0,
          verdict: row.data.verdict ?? 'unread',
        },
  createdAt: row.created_at.getTime(),
});
