import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AlertRule, FiringCause } from '#domain/alerts/alert-rule.ts';
import type { Withheld } from '#domain/alerts/who-is-notified.ts';
import type { AlertRuleDraft, AlertRuleStore, NotedFiring } from '#storage/ports/alerts.ts';
import {
  ALERT_RULE,
  type AlertRuleRow,
  LAST_FIRED,
  toAlertRule,
  toListedAlertRule,
} from './alert-rule-row.ts';
import { closeMetricIncident } from './incidents.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

/** Of all projects of an organization together; a project has at most a hundred. */
const LISTED_MAX = 10_000;

export function createAlertRuleStore(db: Kysely<Database>): AlertRuleStore {
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
    list: (organizationId, projectIds) =>
      listed(sql`r.organization_id = ${organizationId} AND r.project_id = ANY(${projectIds}::bigint[])`),

    async find(organizationId, ruleId) {
      const [rule] = await listed(sql`r.organization_id = ${organizationId} AND r.id = ${ruleId}`);
      return rule ?? null;
    },

    async create(organizationId, projectId, draft, userId, atMs) {
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

    update(organizationId, ruleId, draft, atMs) {
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

    setEnabled: (organizationId, ruleId, isEnabled, atMs) =>
      db.transaction().execute(async (transaction) => {
        // Whoever was told of a metric was told that nobody looks at it: it begins anew.
        const set = isEnabled ? sql`is_enabled = true, ${METRIC_UNREAD}` : sql`is_enabled = false`;
        const changed = await change(organizationId, ruleId, set, atMs, transaction);
        if (changed && !isEnabled) await closeMetricIncident(transaction, ruleId, atMs);
        return changed;
      }),

    snooze: (organizationId, ruleId, untilMs, userId, atMs) =>
      change(
        organizationId,
        ruleId,
        sql`snoozed_until = ${snoozeOf(untilMs)}::timestamptz, snoozed_by = ${untilMs === null ? null : userId}`,
        atMs,
      ),

    remove: (organizationId, ruleId, atMs) =>
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

    async listFirings(organizationId, ruleIds, { limit, before }) {
      const { rows } = await sql<FiringRow>`
        SELECT id, organization_id, project_id, rule_id, issue_id, event_id, cause, value, fired_at, withheld
        FROM alert_firings WHERE organization_id = ${organizationId} AND rule_id = ANY(${ruleIds}::bigint[])
          ${before ? sql`AND (fired_at, id) < (${new Date(before.firedAt)}, ${before.id})` : sql``}
        ORDER BY fired_at DESC, id DESC LIMIT ${limit}`.execute(db);
      return rows.map(toFiring);
    },

    async countFirings(organizationId, ruleId, { fromMs, toMs }, bucketMs) {
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

    async forgetFirings(beforeMs, limit) {
      const { numAffectedRows } = await sql`
        DELETE FROM alert_firings WHERE id IN (
          SELECT id FROM alert_firings WHERE fired_at < ${new Date(beforeMs)} LIMIT ${limit}
        )`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },

    async stamp() {
      const { rows } = await sql<{ stamp: string }>`
        SELECT concat(count(*), ' ', sum(id), ' ', sum((extract(epoch FROM updated_at) * 1000)::bigint)) AS stamp
        FROM alert_rules`.execute(db);
      return rows[0]?.stamp ?? '';
    },

    listEventRules: (limit) =>
      read(
        sql`r.kind = 'issue' AND (r.definition -> 'triggers' ? 'event'
          OR r.environment IS NOT NULL AND r.definition -> 'triggers' ? 'first_seen')`,
        sql`r.project_id, r.id`,
        limit,
      ),

    listIssueRules: (projectIds) =>
      read(
        sql`r.kind = 'issue' AND r.project_id = ANY(${projectIds}::bigint[])`,
        sql`r.project_id, r.id`,
        LISTED_MAX,
      ),

    listDueMetrics: (checkedBeforeMs, nowMs, limit) =>
      read(
        sql`r.kind = 'metric' AND (r.metric_checked_at IS NULL OR r.metric_checked_at < ${new Date(checkedBeforeMs)})
          AND (r.snoozed_until IS NULL OR r.snoozed_until <= ${new Date(nowMs)})`,
        sql`r.metric_checked_at NULLS FIRST, r.id`,
        limit,
      ),
  };
}

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
