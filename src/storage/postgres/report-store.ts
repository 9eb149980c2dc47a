import { type Kysely, sql } from 'kysely';
import type { ReportStore } from '#storage/ports/notifications.ts';
import { notifySender } from './join-deliveries.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

export function createReportStore(db: Kysely<Database>): ReportStore {
  return {
    async listActiveOrganizations({ fromMs, toMs }) {
      const [from, to] = [new Date(fromMs), new Date(toMs)];
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM organizations WHERE EXISTS (
          SELECT FROM outcomes_hourly JOIN projects ON projects.id = project_id AND NOT is_internal
          WHERE outcomes_hourly.organization_id = organizations.id AND hour >= ${from} AND hour < ${to}
            AND outcome = 'accepted' AND category IN ('error', 'default', 'security')
        ) OR EXISTS (
          SELECT FROM activities JOIN issues ON issues.id = issue_id
          JOIN projects ON projects.id = issues.project_id AND NOT is_internal
          WHERE issues.organization_id = organizations.id AND at >= ${from} AND at < ${to}
            AND activities.type IN ('set_regression', 'set_resolved', 'set_resolved_in_release', 'set_resolved_in_commit')
        ) ORDER BY id`.execute(db);
      return rows.map((row) => row.id);
    },

    async open(organizationId, weekStart, nowMs) {
      const now = new Date(nowMs);
      const subject = toStorableJson({ kind: 'report', weekStart });
      const { numAffectedRows } = await sql`
        INSERT INTO deliveries (id, organization_id, kind, user_id, subject, due_at, created_at)
        SELECT gen_random_uuid(), organization_id, 'report', user_id, ${subject}::jsonb, ${now}, ${now}
        FROM memberships AS receiver
        WHERE organization_id = ${organizationId} AND coalesce((
          SELECT is_on FROM notification_settings AS settings
          WHERE settings.user_id = receiver.user_id AND kind = 'weekly_report' AND project_id IS NULL
            AND (settings.organization_id IS NULL OR settings.organization_id = receiver.organization_id)
          ORDER BY settings.organization_id NULLS LAST LIMIT 1
        ), true)
        ON CONFLICT (organization_id, user_id, (subject ->> 'weekStart')) WHERE kind = 'report' DO NOTHING`.execute(
        db,
      );
      const opened = Number(numAffectedRows ?? 0);
      if (opened > 0) await notifySender(db);
      return opened;
    },
  };
}
