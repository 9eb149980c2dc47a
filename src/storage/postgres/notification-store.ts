import { type Kysely, sql } from 'kysely';
import type { NotificationKind, NotificationStore } from '#storage/ports/notifications.ts';
import type { Database } from './schema.ts';

export function createNotificationStore(db: Kysely<Database>): NotificationStore {
  return {
    async list(userId) {
      const { rows } = await sql<SettingRow>`
        SELECT organization_id, project_id, kind, is_on FROM notification_settings WHERE user_id = ${userId}
        ORDER BY organization_id NULLS FIRST, project_id NULLS FIRST, kind`.execute(db);
      return rows.map((row) => ({
        organizationId: row.organization_id,
        projectId: row.project_id,
        kind: row.kind,
        isOn: row.is_on,
      }));
    },

    async set(userId, { organizationId, projectId }, kind, isOn) {
      if (isOn === null) {
        await sql`
          DELETE FROM notification_settings WHERE user_id = ${userId} AND kind = ${kind}
            AND organization_id IS NOT DISTINCT FROM ${organizationId}::bigint
            AND project_id IS NOT DISTINCT FROM ${projectId}::bigint`.execute(db);
        return;
      }
      await sql`
        INSERT INTO notification_settings (user_id, organization_id, project_id, kind, is_on)
        VALUES (${userId}, ${organizationId}, ${projectId}, ${kind}, ${isOn})
        ON CONFLICT (user_id, kind, organization_id, project_id) DO UPDATE SET is_on = excluded.is_on`.execute(
        db,
      );
    },

    async listOff(kind, organizationId, projectId, userIds) {
      if (userIds.length === 0) return new Set();
      const { rows } = await sql<{ user_id: string }>`
        SELECT user_id FROM (
          SELECT DISTINCT ON (user_id) user_id, is_on FROM notification_settings
          WHERE user_id = ANY(${[...userIds]}::text[]) AND kind = ${kind}
            AND (organization_id IS NULL OR organization_id = ${organizationId})
            AND (project_id IS NULL OR project_id = ${projectId}::bigint)
          ORDER BY user_id, project_id NULLS LAST, organization_id NULLS LAST
        ) AS narrowest WHERE NOT is_on`.execute(db);
      return new Set(rows.map((row) => row.user_id));
    },
  };
}

type SettingRow = {
  organization_id: number | null;
  project_id: number | null;
  kind: NotificationKind;
  is_on: boolean;
};
