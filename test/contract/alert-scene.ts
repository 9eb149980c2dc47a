import { type Kysely, sql } from 'kysely';
import type { AlertDefinition, FiringCause } from '#domain/alerts/alert-rule.ts';
import type { Database } from '#storage/sql/schema.ts';
import { NOON_MS } from './sample-events.ts';

const NEW_ISSUES: AlertDefinition = {
  kind: 'issue',
  triggers: ['first_seen'],
  filters: [],
  filterMatch: 'all',
  frequencyMinutes: 30,
  receivers: [],
};

/** A rule as it stands in the database; answers its id. */
export async function insertRule(
  db: Kysely<Database>,
  { organizationId, projectId }: { organizationId: number; projectId: number },
  rule: { name?: string; definition?: AlertDefinition } = {},
): Promise<number> {
  const definition = rule.definition ?? NEW_ISSUES;
  const { rows } = await sql<{ id: number }>`
    INSERT INTO alert_rules (organization_id, project_id, kind, name, definition, created_at, updated_at)
    VALUES (${organizationId}, ${projectId}, ${definition.kind}, ${rule.name ?? 'New issues'},
      ${JSON.stringify(definition)}::jsonb, ${new Date(NOON_MS)}, ${new Date(NOON_MS)})
    RETURNING id`.execute(db);
  return rows[0]!.id;
}

/** What a rule found; answers the id of the firing. */
export async function insertFiring(
  db: Kysely<Database>,
  rule: { organizationId: number; projectId: number; ruleId: number },
  firing: {
    issueId: number | null;
    cause?: FiringCause;
    eventId?: string | null;
    value?: number | null;
    firedAt?: number;
  },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO alert_firings (organization_id, project_id, rule_id, issue_id, event_id, cause, value, fired_at)
    VALUES (${rule.organizationId}, ${rule.projectId}, ${rule.ruleId}, ${firing.issueId}, ${firing.eventId ?? null},
      ${firing.cause ?? 'first_seen'}, ${firing.value ?? null}, ${new Date(firing.firedAt ?? NOON_MS)})
    RETURNING id`.execute(db);
  return rows[0]!.id;
}
