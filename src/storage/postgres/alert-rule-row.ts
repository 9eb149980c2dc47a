import { sql } from 'kysely';
import type { AlertDefinition, AlertRule, MetricState } from '#domain/alerts/alert-rule.ts';
import type { ListedAlertRule } from '#storage/ports/alerts.ts';

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
