import { invalid } from '#lib/errors.ts';
import type { ForeignDatabase } from '#storage/ports/foreign-database.ts';

/** Tables and columns without which nothing can be read; they are there from version 2.0 on. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  auth_user: ['id', 'email', 'username', 'is_superuser', 'is_active'],
  projects_project: ['id', 'name', 'slug', 'sentry_key', 'team_id', 'is_deleted'],
  teams_team: ['id', 'name'],
  teams_teammembership: ['team_id', 'user_id', 'role', 'accepted'],
  releases_release: ['version', 'date_released', 'project_id'],
  issues_issue: [
    'id',
    'digest_order',
    'digested_event_count',
    'is_resolved',
    'is_muted',
    'fixed_at',
    'is_deleted',
  ],
  issues_turningpoint: ['issue_id', 'timestamp', 'kind', 'metadata', 'comment', 'user_id'],
  events_event: ['id', 'event_id', 'data', 'issue_id', 'ingested_at', 'digested_at', 'storage_backend'],
};

/** What later versions added. */
export type BugsinkSchema = {
  hasHourlyCounts: boolean;
  hasMessagingServices: boolean;
  hasTokens: boolean;
  hasFiles: boolean;
  /** Of this installation; null for a version that has none. */
  installationId: string | null;
};

/** Throws Invalid for a database that is not Bugsink's, or of a version before 2.0. */
export async function readBugsinkSchema(database: ForeignDatabase): Promise<BugsinkSchema> {
  for (const [table, names] of Object.entries(REQUIRED)) {
    const columns = await database.columns(table);
    if (columns.size === 0)
      throw invalid(`${database.place} is not a database of Bugsink: it has no table ${table}`);
    const missing = names.find((name) => !columns.has(name));
    if (missing !== undefined) {
      throw invalid(
        `${database.place} is of a version of Bugsink that is not supported, as ${table} has no ${missing}: upgrade it to 2.0 or later, and run bugsink-manage migrate`,
      );
    }
  }
  const has = async (table: string) => (await database.columns(table)).size > 0;
  const installation = (await has('phonehome_installation'))
    ? await database.rows('SELECT CAST(id AS text) AS id FROM phonehome_installation ORDER BY id LIMIT 1', [])
    : [];
  return {
    hasHourlyCounts: await has('events_issueeventcountsperhour'),
    hasMessagingServices: await has('alerts_messagingserviceconfig'),
    hasTokens: await has('bsmain_authtoken'),
    hasFiles: await has('files_filemetadata'),
    installationId: installation[0] ? String(installation[0].id) : null,
  };
}
