import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AlertDefinition, AlertRule, FiringCause, MetricState } from '#domain/alerts/alert-rule.ts';
import type { Withheld } from '#domain/alerts/who-is-notified.ts';
import { closeMetricIncident } from '#product/incidents/store/incidents.ts';
import type { TimeRange } from '#storage/ports/events.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { AlertRuleDraft, ListedAlertRule, NotedFiring } from '../alert-outbox.ts';

/** Of all projects of an organization together; a project has at most a hundred. */
const LISTED_MAX = 10_000;

/** Rules and what they found. Source: PostgreSQL. Every call that names an organization is scoped by it. */
export function createAlertRuleStore(db: Kysely<Database>) {
  const listed = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<AlertRuleRow & { last_fired_at: Date | null }>`
      SELECT ${ALERT_RULE}, ${LAST_FIRED} FROM alert_rules r WHERE ${condition}
      ORDER BY lower(r.name), r.id LIMIT ${LISTED_MAX}`.execute(db);
    return rows.map(toListedAlertRule);
  };
  const read = async (condition: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number) => {
    const { rows } = await sql<AlertRuleRow>`
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
    const { rows } = await sql<AlertRuleRow>`
      UPDATE alert_rules AS r SET ${set},
        updated_at = greatest(${new Date(atMs)}::timestamptz, r.updated_at + interval '1 ms')
      WHERE r.organization_id = ${organizationId} AND r.id = ${ruleId}
      RETURNING ${ALERT_RULE}`.execute(within);
    return rows[0] ? toAlertRule(rows[0]) : null;
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
      const { rows } = await sql<AlertRuleRow>`
        INSERT INTO alert_rules AS r (organization_id, project_id, kind, name, environment, owner_user_id, owner_team_id,
          definition, created_by, created_at, updated_at)
        SELECT projects.organization_id, projects.id, ${draft.definition.kind}, ${columns.name}, ${columns.environment},
          ${columns.owner_user_id}, ${columns.owner_team_id}::bigint, ${columns.definition}::jsonb, ${userId},
          ${new Date(atMs)}, ${new Date(atMs)}
        FROM projects WHERE projects.organization_id = ${organizationId} AND projects.id = ${projectId}
        FOR KEY SHARE
        RETURNING ${ALERT_RULE}`.execute(db);
      return rows[0] ? toAlertRule(rows[0]) : null;
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
        // Whoever was told of a metric was told that nobody looks at it: it begins anew.
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

    /** Newest first; of the rules. `cursor` is that of an earlier page. */
    async listFirings(
      organizationId: number,
      ruleIds: readonly number[],
      { limit, before }: { limit: number; before: { firedAt: number; id: number } | null },
    ): Promise<readonly NotedFiring[]> {
      const { rows } = await sql<FiringRow>`
        SELECT id, organization_id, project_id, rule_id, issue_id, event_id, cause, value, fired_at, withheld
        FROM alert_firings WHERE organization_id = ${organizationId} AND rule_id = ANY(${ruleIds}::bigint[])
          ${before ? sql`AND (fired_at, id) < (${new Date(before.firedAt)}, ${before.id})` : sql``}
        ORDER BY fired_at DESC, id DESC LIMIT ${limit}`.execute(db);
      return rows.map(toFiring);
    },

    /** Firings of a rule per bucket of the range, oldest first. */
    async countFirings(
      organizationId: number,
      ruleId: number,
      { fromMs, toMs }: TimeRange,
      bucketMs: number,
    ): Promise<readonly number[]> {
      const { rows } = await sql<{ bucket: number; firings: number }>`
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
    async forgetFirings(beforeMs: number, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`
        DELETE FROM alert_firings WHERE id IN (
          SELECT id FROM alert_firings WHERE fired_at < ${new Date(beforeMs)} LIMIT ${limit}
        )`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },

    /** Changes whenever a rule does, of any organization; for caches. */
    async stamp(): Promise<string> {
      const { rows } = await sql<{ stamp: string }>`
        SELECT concat(count(*), ' ', sum(id), ' ', sum((extract(epoch FROM updated_at) * 1000)::bigint)) AS stamp
        FROM alert_rules`.execute(db);
      return rows[0]?.stamp ?? '';
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
          AND (r.snoozed_until IS NULL OR r.snoozed_until <= ${new Date(nowMs)})`,
        sql`r.metric_checked_at NULLS FIRST, r.id`,
        limit,
      ),
  };
}

export type AlertRuleStore = ReturnType<typeof createAlertRuleStore>;

const METRIC_UNREAD = sql`metric_state = NULL, metric_state_at = NULL, metric_value = NULL, metric_checked_at = NULL,
  metric_problem = NULL`;

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

type FiringRow = {
  id: number;
  organization_id: number;
  project_id: number;
  rule_id: number;
  issue_id: number | null;
  event_id: string | null;
  cause: FiringCause;
  value: number | null;
  fired_at: Date;
  withheld: Withheld[];
};

const toFiring = (row: FiringRow): NotedFiring => ({
  id: row.id,
  organizationId: row.organization_id,
  projectId: row.project_id,
  ruleId: row.rule_id,
  issueId: row.issue_id,
  eventId: row.event_id,
  cause: row.cause,
  value: row.value,
  firedAt: row.fired_at.getTime(),
  withheld: row.withheld,
});

/** Of `alert_rules AS r`, with who made it. */
export const ALERT_RULE = sql`r.id, r.organization_id, r.project_id, r.name, r.environment, r.owner_user_id,
  r.owner_team_id, r.definition, r.is_enabled, r.snoozed_until, r.created_by,
  (SELECT name FROM users WHERE users.id = r.created_by) AS created_by_name, r.created_at, r.updated_at,
  r.metric_state, r.metric_state_at, r.metric_value, r.metric_checked_at, r.metric_problem`;

export const LAST_FIRED = sql`(SELECT max(fired_at) FROM alert_firings WHERE rule_id = r.id) AS last_fired_at`;

export type AlertRuleRow = {
  id: number;
  organization_id: number;
  project_id: number;
  name: string;
  environment: string | null;
  owner_user_id: string | null;
  owner_team_id: number | null;
  definition: AlertDefinition;
  is_enabled: boolean;
  /** Infinity for good. */
  snoozed_until: Date | number | null;
  created_by: string | null;
  created_by_name: string | null;
  created_at: Date;
  updated_at: Date;
  metric_state: MetricState | null;
  metric_state_at: Date | null;
  metric_value: number | null;
  metric_checked_at: Date | null;
  metric_problem: string | null;
};

export const toAlertRule = (row: AlertRuleRow): AlertRule => ({
  id: row.id,
  organizationId: row.organization_id,
  projectId: row.project_id,
  name: row.name,
  environment: row.environment,
  owner: ownerOf(row),
  definition: row.definition,
  isEnabled: row.is_enabled,
  snoozedUntil: row.snoozed_until === null ? null : Number(row.snoozed_until),
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.created_by_name ?? '' },
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  metric:
    row.metric_checked_at === null
      ? null
      : {
          state: row.metric_state ?? 'ok',
          since: (row.metric_state_at ?? row.metric_checked_at).getTime(),
          value: row.metric_value,
          checkedAt: row.metric_checked_at.getTime(),
          problem: row.metric_problem,
        },
});

export const toListedAlertRule = (row: AlertRuleRow & { last_fired_at: Date | null }): ListedAlertRule => ({
  ...toAlertRule(row),
  lastFiredAt: row.last_fired_at?.getTime() ?? null,
});

function ownerOf({ owner_user_id, owner_team_id }: AlertRuleRow): AlertRule['owner'] {
  if (owner_user_id !== null) return { kind: 'user', userId: owner_user_id };
  return owner_team_id === null ? null : { kind: 'team', teamId: owner_team_id };
}
