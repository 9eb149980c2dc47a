import { type Kysely, sql } from 'kysely';
import { ISSUE_STATUSES } from '#domain/issues/issue.ts';
import type { NotificationKind } from '#domain/notification-kinds.ts';
import type { TimeRange } from '#storage/ports/events.ts';
import { notifySender } from '#storage/sql/notices.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** Where a setting counts: everywhere (both null), in an organization, in one of its projects. The narrowest one counts. */
export type NotificationPlace = { organizationId: number | null; projectId: number | null };

export type NotificationSetting = NotificationPlace & { kind: NotificationKind; isOn: boolean };

/** What each member wants mail about; without a setting it is on. Source: PostgreSQL. */
export function createNotificationStore(db: Kysely<Database>) {
  return {
    list: (userId: string): Promise<readonly NotificationSetting[]> =>
      query<NotificationSetting>`
        SELECT organization_id, project_id, kind, is_on FROM notification_settings WHERE user_id = ${userId}
        ORDER BY organization_id NULLS FIRST, project_id NULLS FIRST, kind`.execute(db),

    /** null: as the next wider setting says. A project's place names its organization too. */
    async set(
      userId: string,
      { organizationId, projectId }: NotificationPlace,
      kind: NotificationKind,
      isOn: boolean | null,
    ): Promise<void> {
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

    /** Of these users, who has switched the kind off for that place. */
    async listOff(
      kind: NotificationKind,
      organizationId: number,
      projectId: number | null,
      userIds: readonly string[],
    ): Promise<ReadonlySet<string>> {
      if (userIds.length === 0) return new Set();
      const found = await query<{ userId: string }>`
        SELECT user_id FROM (
          SELECT DISTINCT ON (user_id) user_id, is_on FROM notification_settings
          WHERE user_id = ANY(${[...userIds]}::text[]) AND kind = ${kind}
            AND (organization_id IS NULL OR organization_id = ${organizationId})
            AND (project_id IS NULL OR project_id = ${projectId}::bigint)
          ORDER BY user_id, project_id NULLS LAST, organization_id NULLS LAST
        ) AS narrowest WHERE NOT is_on`.execute(db);
      return new Set(found.map(({ userId }) => userId));
    },
  };
}

export type NotificationStore = ReturnType<typeof createNotificationStore>;

/** Reports of weeks on their way. Source: PostgreSQL. */
export function createReportStore(db: Kysely<Database>) {
  return {
    /** Organizations where something happened in the range: events, new issues (also of monitors and feedback) or changes of issues. */
    async listActiveOrganizations({ fromMs, toMs }: TimeRange): Promise<readonly number[]> {
      const [from, to] = [new Date(fromMs), new Date(toMs)];
      const found = await query<{ id: number }>`
        SELECT id FROM organizations WHERE EXISTS (
          SELECT FROM outcomes_hourly JOIN projects ON projects.id = project_id AND NOT is_internal
          WHERE outcomes_hourly.organization_id = organizations.id AND hour >= ${from} AND hour < ${to}
            AND outcome = 'accepted' AND category IN ('error', 'default', 'security')
        ) OR EXISTS (
          SELECT FROM activities JOIN issues ON issues.id = issue_id
          JOIN projects ON projects.id = issues.project_id AND NOT is_internal
          WHERE issues.organization_id = organizations.id AND at >= ${from} AND at < ${to}
            AND activities.type IN ('set_regression', 'set_resolved', 'set_resolved_in_release', 'set_resolved_in_commit')
        ) OR EXISTS (
          SELECT FROM issues JOIN projects ON projects.id = issues.project_id AND NOT is_internal
          WHERE issues.organization_id = organizations.id AND status = ANY(${ISSUE_STATUSES}::text[])
            AND first_seen >= ${from} AND first_seen < ${to}
        ) ORDER BY id`.execute(db);
      return found.map(({ id }) => id);
    },

    /**
     * One mail for each member who wants it and has none for this week yet, due now. Answers how many.
     */
    async open(organizationId: number, weekStart: number, nowMs: number): Promise<number> {
      const now = new Date(nowMs);
      const subject = toStorableJson({ kind: 'report', weekStart });
      const opened = await affectedRows`
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
      if (opened > 0) await notifySender(db);
      return opened;
    },
  };
}

export type ReportStore = ReturnType<typeof createReportStore>;
