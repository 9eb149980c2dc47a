import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AlertRule, MetricReading } from '#domain/alerts/alert-rule.ts';
import { failedSince } from '#product/deliveries/store/delivery-evidence.ts';
import { closeMetricIncident } from '#product/incidents/store/incidents.ts';
import type { TimeRange } from '#storage/ports/events.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { AlertRuleDraft, ListedAlertRule, NotedFiring } from '../alert-outbox.ts';

/** Of all projects of an organization together; a project has at most a hundred. */
const LISTED_MAX = 10_000;

/** Rules and what they found. Source: PostgreSQL. Every call that names an organization is scoped by it. */
export function createAlertRuleStore(db: Kysely<Database>) {
  const listed = async (condition: RawBuilder<unknown>) => {
    const rows = await query<ListedAlertRuleRow>`
      SELECT ${ALERT_RULE}, ${LAST_FIRED} FROM alert_rules r WHERE ${condition}
      ORDER BY lower(r.name), r.id LIMIT ${LISTED_MAX}`.execute(db);
    return rows.map((row) => toAlertRule(row));
  };
  const read = async (condition: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number) => {
    const rows = await query<AlertRuleRow>`
      SELECT ${ALERT_RULE} FROM alert_rules r WHERE r.is_enabled AND ${condition}
      ORDER BY ${order} LIMIT ${limit}`.execute(db);
    return rows.map(toAlertRule);
  };
  const change = async (
    organizationId: number,
    ruleId: number,
    set: RawBuilder<unknown>,
    atMs: number,
    within: Kysely<Database> = db,
  ): Promise<AlertRule | null> => {
    // A millisecond later than before at least: what digest knows of the rule as it was then counts no more.
    const row = await query<AlertRuleRow>`
      UPDATE alert_rules AS r SET ${set},
        updated_at = greatest(${new Date(atMs)}::timestamptz, r.updated_at + interval '1 ms')
      WHERE r.organization_id = ${organizationId} AND r.id = ${ruleId}
      RETURNING ${ALERT_RULE}`.first(within);
    return row && toAlertRule(row);
  };

  return {
    /** Of the projects, by name. */
    list: (organizationId: number, projectIds: readonly number[]): Promise<readonly ListedAlertRule[]> =>
      listed(sql`r.organization_id = ${organizationId} AND r.project_id = ANY(${projectIds}::bigint[])`),

    async find(organizationId: number, ruleId: number): Promise<ListedAlertRule | null> {
      const [rule] = await listed(sql`r.organization_id = ${organizationId} AND r.id = ${ruleId}`);
      return rule ?? null;
    },

    /** null when the organization has no such project. */
    async create(
      organizationId: number,
      projectId: number,
      draft: AlertRuleDraft,
      userId: string | null,
      atMs: number,
    ): Promise<AlertRule | null> {
      const columns = columnsOf(draft);
      const row = await query<AlertRuleRow>`
        INSERT INTO alert_rules AS r (organization_id, project_id, kind, name, environment, owner_user_id, owner_team_id,
          definition, created_by, created_at, updated_at)
        SELECT projects.organization_id, projects.id, ${draft.definition.kind}, ${columns.name}, ${columns.environment},
          ${columns.owner_user_id}, ${columns.owner_team_id}::bigint, ${columns.definition}::jsonb, ${userId},
          ${new Date(atMs)}, ${new Date(atMs)}
        FROM projects WHERE projects.organization_id = ${organizationId} AND projects.id = ${projectId}
        FOR KEY SHARE
        RETURNING ${ALERT_RULE}`.first(db);
      return row && toAlertRule(row);
    },

    /** null when there is none; so are the next two. A metric keeps its state, until the rule is enabled again. */
    update(
      organizationId: number,
      ruleId: number,
      draft: AlertRuleDraft,
      atMs: number,
    ): Promise<AlertRule | null> {
      const columns = columnsOf(draft);
      return change(
        organizationId,
        ruleId,
        sql`name = ${columns.name}, environment = ${columns.environment}, kind = ${draft.definition.kind},
          owner_user_id = ${columns.owner_user_id}, owner_team_id = ${columns.owner_team_id}::bigint,
          definition = ${columns.definition}::jsonb`,
        atMs,
      );
    },

    setEnabled: (
      organizationId: number,
      ruleId: number,
      isEnabled: boolean,
      atMs: number,
    ): Promise<AlertRule | null> =>
      db.transaction().execute(async (transaction) => {
        // Whoever was notified of a metric knows that it is no longer monitored: it starts over.
        const set = isEnabled ? sql`is_enabled = true, ${METRIC_UNREAD}` : sql`is_enabled = false`;
        const changed = await change(organizationId, ruleId, set, atMs, transaction);
        if (changed && !isEnabled) await closeMetricIncident(transaction, ruleId, atMs);
        return changed;
      }),

    /** `untilMs` null unsnoozes it, Infinity is until somebody unsnoozes it. */
    snooze: (
      organizationId: number,
      ruleId: number,
      untilMs: number | null,
      userId: string | null,
      atMs: number,
    ): Promise<AlertRule | null> =>
      change(
        organizationId,
        ruleId,
        sql`snoozed_until = ${snoozeOf(untilMs)}::timestamptz, snoozed_by = ${untilMs === null ? null : userId}`,
        atMs,
      ),

    /** With its firings. False when there is none. */
    remove: (organizationId: number, ruleId: number, atMs: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql`
          SELECT 1 FROM alert_rules WHERE organization_id = ${organizationId} AND id = ${ruleId} FOR UPDATE`.execute(
          transaction,
        );
        if (rows.length === 0) return false;
        await closeMetricIncident(transaction, ruleId, atMs);
        await sql`DELETE FROM alert_rules WHERE id = ${ruleId}`.execute(transaction);
        return true;
      }),

    /** Newest first; of the rules. `undeliveredSinceMs` keeps what failed to reach a recipient after then. */
    listFirings: (
      organizationId: number,
      ruleIds: readonly number[],
      {
        limit,
        before,
        undeliveredSinceMs = null,
      }: {
        limit: number;
        before: { firedAt: number; id: number } | null;
        undeliveredSinceMs?: number | null;
      },
    ): Promise<readonly NotedFiring[]> =>
      query<NotedFiring>`
        SELECT id, organization_id, project_id, rule_id, issue_id, event_id, cause, value, measured, measured_before,
          fired_at, withheld
        FROM alert_firings WHERE organization_id = ${organizationId} AND rule_id = ANY(${ruleIds}::bigint[])
          ${before ? sql`AND (fired_at, id) < (${new Date(before.firedAt)}, ${before.id})` : sql``}
          ${undeliveredSinceMs === null ? sql`` : sql`AND ${hasFailed(undeliveredSinceMs)}`}
        ORDER BY fired_at DESC, id DESC LIMIT ${limit}`.execute(db),

    /** Firings of a rule per bucket of the range, oldest first. */
    async countFirings(
      organizationId: number,
      ruleId: number,
      { fromMs, toMs }: TimeRange,
      bucketMs: number,
    ): Promise<readonly number[]> {
      const rows = await query<{ bucket: number; firings: number }>`
        SELECT floor((extract(epoch FROM fired_at) * 1000 - ${fromMs}::float8) / ${bucketMs}::float8)::bigint AS bucket,
          count(*) AS firings
        FROM alert_firings
        WHERE organization_id = ${organizationId} AND rule_id = ${ruleId} AND fired_at >= ${new Date(fromMs)}
          AND fired_at < ${new Date(toMs)}
        GROUP BY bucket`.execute(db);
      const values = Array<number>(Math.ceil((toMs - fromMs) / bucketMs)).fill(0);
      for (const { bucket, firings } of rows) values[bucket] = firings;
      return values;
    },

    /** Firings older than that, at most `limit`. Answers how many went. */
    forgetFirings: (beforeMs: number, limit: number): Promise<number> =>
      affectedRows`
        DELETE FROM alert_firings WHERE id IN (
          SELECT id FROM alert_firings WHERE fired_at < ${new Date(beforeMs)} LIMIT ${limit}
        )`.execute(db),

    /** Changes whenever a rule does, of any organization; for caches. */
    async stamp(): Promise<string> {
      const row = await query<{ stamp: string }>`
        SELECT concat(count(*), ' ', sum(id), ' ', sum((extract(epoch FROM updated_at) * 1000)::bigint)) AS stamp
        FROM alert_rules`.first(db);
      return row?.stamp ?? '';
    },

    /**
     * Enabled rules of issues that look at each event, of every project, at most `limit`, snoozed ones too: those of events,
     * and those of new issues of an environment.
     */
    listEventRules: (limit: number): Promise<readonly AlertRule[]> =>
      read(
        sql`r.kind = 'issue' AND (r.definition -> 'triggers' ? 'event'
          OR r.environment IS NOT NULL AND r.definition -> 'triggers' ? 'first_seen')`,
        sql`r.project_id, r.id`,
        limit,
      ),

    /** Enabled rules of issues in the projects. */
    listIssueRules: (projectIds: readonly number[]): Promise<readonly AlertRule[]> =>
      read(
        sql`r.kind = 'issue' AND r.project_id = ANY(${projectIds}::bigint[])`,
        sql`r.project_id, r.id`,
        LISTED_MAX,
      ),

    /** Enabled rules of metrics that are not snoozed and were not evaluated since, the oldest first. */
    listDueMetrics: (checkedBeforeMs: number, nowMs: number, limit: number): Promise<readonly AlertRule[]> =>
      read(
        sql`r.kind = 'metric' AND (r.metric_checked_at IS NULL OR r.metric_checked_at < ${new Date(checkedBeforeMs)})
          AND (r.metric_next_at IS NULL OR r.metric_next_at <= ${new Date(nowMs)})
          AND (r.snoozed_until IS NULL OR r.snoozed_until <= ${new Date(nowMs)})`,
        sql`r.metric_checked_at NULLS FIRST, r.id`,
        limit,
      ),
  };
}

export type AlertRuleStore = ReturnType<typeof createAlertRuleStore>;

/** Of a row of `alert_firings`. */
const hasFailed = (sinceMs: number) => sql`EXISTS (
  SELECT FROM delivery_firings JOIN deliveries ON deliveries.id = delivery_id
  WHERE firing_id = alert_firings.id AND ${failedSince(sinceMs)})`;

const METRIC_UNREAD = sql`metric_state = NULL, metric_state_at = NULL, metric_value = NULL, metric_checked_at = NULL,
  metric_problem = NULL, metric_took_ms = NULL, metric_next_at = NULL`;

const columnsOf = ({ name, environment, owner, definition }: AlertRuleDraft) => ({
  name,
  environment,
  owner_user_id: owner?.kind === 'user' ? owner.userId : null,
  owner_team_id: owner?.kind === 'team' ? owner.teamId : null,
  definition: toStorableJson(definition),
});

const snoozeOf = (untilMs: number | null): string | null => {
  if (untilMs === null) return null;
  return untilMs === Number.POSITIVE_INFINITY ? 'infinity' : new Date(untilMs).toISOString();
};

/** Of `alert_rules AS r`, with who made it and its owner. */
export const ALERT_RULE = sql`r.id, r.organization_id, r.project_id, r.name, r.environment,
  CASE WHEN r.owner_user_id IS NOT NULL THEN json_build_object('kind', 'user', 'userId', r.owner_user_id)
    WHEN r.owner_team_id IS NOT NULL THEN json_build_object('kind', 'team', 'teamId', r.owner_team_id) END AS owner,
  r.definition, r.is_enabled, r.snoozed_until,
  (SELECT json_build_object('id', id, 'name', name) FROM users WHERE users.id = r.created_by) AS created_by,
  r.created_at, r.updated_at, r.metric_state, r.metric_state_at, r.metric_value, r.metric_checked_at, r.metric_problem,
  r.metric_took_ms, r.metric_next_at`;

export const LAST_FIRED = sql`(SELECT max(fired_at) FROM alert_firings WHERE rule_id = r.id) AS last_fired_at`;

export type AlertRuleRow = Omit<AlertRule, 'metric'> & {
  metricState: MetricReading['state'] | null;
  metricStateAt: number | null;
  metricValue: number | null;
  metricCheckedAt: number | null;
  metricProblem: string | null;
  metricTookMs: number | null;
  metricNextAt: number | null;
};

export type ListedAlertRuleRow = AlertRuleRow & Pick<ListedAlertRule, 'lastFiredAt'>;

const toAlertRule = <Row extends AlertRuleRow>({
  metricState,
  metricStateAt,
  metricValue: value,
  metricCheckedAt: checkedAt,
  metricProblem: problem,
  metricTookMs: tookMs,
  metricNextAt: nextAt,
  ...rule
}: Row) => ({
  ...rule,
  metric:
    checkedAt === null
      ? null
      : {
          state: metricState ?? 'ok',
          since: metricStateAt ?? checkedAt,
          value,
          checkedAt,
          problem,
          tookMs,
          nextAt,
        },
});
