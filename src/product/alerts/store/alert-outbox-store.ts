import type { Kysely } from 'kysely';
import type { AlertRule, MetricReading } from '#domain/alerts/alert-rule.ts';
import type { TimeRange } from '#storage/ports/events.ts';
import { findLastFired } from '#storage/sql/last-fired.ts';
import { findNewestReleases } from '#storage/sql/newest-releases.ts';
import { EVERY_RULE } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { IssueFiring, IssueTransition, OutboxEntry } from '../alert-outbox.ts';
import { finishEntries, finishMetric, type MetricFiring } from './alert-firings.ts';

/** Entries on their way to becoming firings. Source: PostgreSQL. */
export const createAlertOutboxStore = (db: Kysely<Database>) => ({
  /** The oldest that wait. Nobody owns them: whoever is first to finish them counts. */
  take: (limit: number): Promise<readonly OutboxEntry[]> =>
    query<OutboxEntry>`
      SELECT id, version, organization_id, project_id, issue_id, kind, event_id,
        CASE WHEN rule_id != ${EVERY_RULE} THEN json_build_object('ruleId', rule_id,
          'ruleVersion', coalesce(data -> 'ruleVersion', '0'), 'verdict', coalesce(data ->> 'verdict', 'unread'))
        END AS hit, created_at
      FROM outbox WHERE done_at IS NULL ORDER BY id LIMIT ${limit}`.execute(db),

  /** When a rule fired last for an issue, by `ruleId:issueId`, in milliseconds since the epoch. */
  findLastFired: (
    pairs: readonly { ruleId: number; issueId: number }[],
  ): Promise<ReadonlyMap<string, number>> => findLastFired(db, pairs),

  /**
   * One transaction: marks the entries as done that fire, or are still at the version that was taken, writes firings unless the rule is quiet
   * about the issue, and lets each join the open message of its receivers, unless those were notified of the issue less than
   * `issueQuietMs` ago; what a pager received before the issue was closed does not count. Answers how many firings were
   * written.
   */
  finish: (
    entries: readonly Pick<OutboxEntry, 'id' | 'version'>[],
    firings: readonly IssueFiring[],
    nowMs: number,
    issueQuietMs: number,
  ): Promise<number> =>
    db
      .transaction()
      .execute((transaction) => finishEntries(transaction, entries, firings, nowMs, issueQuietMs)),

  /**
   * One transaction: notes what a metric is, unless somebody else looked since `seenAt` or put the rule to rest, and writes
   * the firing when its state is another one. Answers whether it was noted.
   */
  finishMetric: (
    rule: Pick<AlertRule, 'id' | 'organizationId' | 'projectId'>,
    seenAt: number | null,
    reading: MetricReading,
    firing: MetricFiring | null,
  ): Promise<boolean> =>
    db.transaction().execute((transaction) => finishMetric(transaction, rule, seenAt, reading, firing)),

  /** Newest release of each project that has one. */
  async findNewestReleases(projectIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const newest = await findNewestReleases(
      db,
      projectIds.map((projectId) => ({ projectId })),
    );
    return new Map([...newest].map(([{ projectId }, version]) => [projectId, version]));
  },

  /** Issues of a project that were seen first, or came back, in the range: newest first, at most `limit` of each. */
  async listTransitions(
    organizationId: number,
    projectId: number,
    { fromMs, toMs }: TimeRange,
    limit: number,
  ): Promise<readonly IssueTransition[]> {
    const [first, returned] = await Promise.all([
      query<IssueTransition>`
        SELECT id AS issue_id, 'first_seen' AS trigger, first_seen AS at, (
          SELECT data ->> 'eventId' FROM activities WHERE issue_id = issues.id AND type = 'first_seen' LIMIT 1
        ) AS event_id
        FROM issues WHERE organization_id = ${organizationId} AND project_id = ${projectId}
          AND first_seen >= ${new Date(fromMs)} AND first_seen < ${new Date(toMs)}
        ORDER BY first_seen DESC, id DESC LIMIT ${limit}`.execute(db),
      query<IssueTransition>`
        SELECT issues.id AS issue_id, a.at, a.data ->> 'eventId' AS event_id,
          CASE a.type WHEN 'set_regression' THEN 'regression' ELSE 'escalation' END AS trigger
        FROM activities a JOIN issues ON issues.id = a.issue_id
        WHERE a.type IN ('set_regression', 'set_escalating') AND a.at >= ${new Date(fromMs)}
          AND a.at < ${new Date(toMs)} AND issues.organization_id = ${organizationId}
          AND issues.project_id = ${projectId}
        ORDER BY a.at DESC LIMIT ${limit}`.execute(db),
    ]);
    return [...first, ...returned].sort((a, b) => b.at - a.at);
  },
});

export type AlertOutboxStore = ReturnType<typeof createAlertOutboxStore>;
