import { invalid } from '#lib/errors.ts';
import type { ForeignDatabase } from '#storage/ports/foreign-database.ts';

/** Tables and columns without which nothing can be read; they are there from version 4.0 on. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  organizations_ext_organization: ['id', 'slug', 'name'],
  organizations_ext_organizationuser: ['id', 'organization_id', 'user_id', 'role', 'email'],
  users_user: ['id', 'email', 'name'],
  teams_team: ['id', 'slug', 'organization_id'],
  teams_team_members: ['team_id', 'organizationuser_id'],
  teams_team_projects: ['team_id', 'project_id'],
  projects_project: ['id', 'slug', 'name', 'platform', 'organization_id'],
  projects_projectkey: ['project_id', 'public_key'],
  releases_release: ['id', 'version', 'organization_id', 'created'],
  issue_events_issue: ['id', 'project_id', 'short_id', 'title', 'first_seen', 'metadata', 'type'],
  issue_events_issueevent: ['id', 'issue_id', 'timestamp', 'data', 'tags', 'title', 'transaction'],
};

/** What differs between versions 4, 5 and 6. */
export type GlitchtipSchema = {
  /** Whether a table has a column. */
  has(table: string, column: string): boolean;
  /** The first of the tables that is there; null for none. */
  tableOf(...names: readonly string[]): string | null;
  /** Counts and states lie beside the issues. */
  hasIssueIndex: boolean;
  /** The ID of an event is the server's own, and its time of arrival a part of it. */
  hasServerIds: boolean;
};

const LOOKED_AT = [
  ...Object.keys(REQUIRED),
  'issue_events_issueindex',
  'issue_events_issueaggregate',
  'issue_events_comment',
  'issue_events_userreport',
  'environments_environment',
  'environments_environmentproject',
  'releases_releaseproject',
  'releases_release_projects',
  'releases_deploy',
  'alerts_projectalert',
  'alerts_alertrecipient',
  'uptime_monitor',
  'uptime_statuspage',
  'performance_transactiongroup',
  'sourcecode_debugsymbolbundle',
  'api_tokens_apitoken',
];

/** Throws Invalid for a database that is not GlitchTip's, or of a version before 4.0. */
export async function readGlitchtipSchema(database: ForeignDatabase): Promise<GlitchtipSchema> {
  if (database.kind !== 'postgres') {
    throw invalid('GlitchTip is read from PostgreSQL: name its database with postgres://…', 'database');
  }
  const tables = new Map<string, ReadonlySet<string>>();
  for (const table of LOOKED_AT) tables.set(table, await database.columns(table));
  const has = (table: string, column: string) => tables.get(table)?.has(column) ?? false;
  for (const [table, columns] of Object.entries(REQUIRED)) {
    const missing = columns.find((column) => !has(table, column));
    if (missing === undefined) continue;
    const isGlitchtip = has('organizations_ext_organization', 'slug');
    throw invalid(
      isGlitchtip
        ? `${database.place} is of a version of GlitchTip that is not supported, as ${table} has no ${missing}: versions 4 to 6 are, so upgrade it first`
        : `${database.place} is not a database of GlitchTip: it has no table organizations_ext_organization`,
    );
  }
  return {
    has,
    tableOf: (...names) => names.find((name) => (tables.get(name)?.size ?? 0) > 0) ?? null,
    hasIssueIndex: has('issue_events_issueindex', 'count'),
    hasServerIds: has('issue_events_issueevent', 'event_id'),
  };
}
