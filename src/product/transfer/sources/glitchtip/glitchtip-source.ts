import { notFound } from '#lib/errors.ts';
import type { ForeignDatabase } from '#storage/ports/foreign-database.ts';
import type { TransferRecord } from '../../records.ts';
import type { ReadOptions, TransferSource } from '../../transfer-source.ts';
import { readSteps, type SourceStep } from '../read-steps.ts';
import { unmapped } from '../unmapped.ts';
import { type GlitchtipSchema, readGlitchtipSchema } from './glitchtip-schema.ts';
import { readAlerts } from './read-alerts.ts';
import { readEvents } from './read-events.ts';
import { readIssues } from './read-issues.ts';
import { readHeartbeats, readUptimeMonitors } from './read-monitors.ts';
import {
  type GlitchtipOrganization,
  type GlitchtipProject,
  listProjects,
  readEnvironments,
  readMembers,
  readProjects,
  readReleases,
  readTeams,
  selectOrganization,
} from './read-structure.ts';

/**
 * One organization of GlitchTip 4 to 6 by its database; `organization`: its slug, null for the only one. Throws Invalid for the
 * database of another program or version, and for an organization that is not there.
 */
export async function openGlitchtipSource(
  database: ForeignDatabase,
  options: { organization: string | null },
): Promise<TransferSource> {
  const schema = await readGlitchtipSchema(database);
  const organization = await selectOrganization(database, schema, options.organization);
  return {
    name: `GlitchTip in ${database.place}, organization ${organization.slug}`,
    key: `glitchtip ${database.place} ${organization.id}`.slice(0, 500),
    async *read(options) {
      const projects = await listProjects(database, schema, organization.id, options.projects);
      yield* readSteps(stepsOf(database, schema, organization, projects, options), options);
    },
    openFile: async (path) => {
      throw notFound(`GlitchTip keeps no file ${path}`);
    },
    close: () => database.close(),
  };
}

function stepsOf(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  organization: GlitchtipOrganization,
  projects: readonly GlitchtipProject[],
  options: ReadOptions,
): readonly SourceStep[] {
  return [
    {
      kind: 'organization',
      read: async function* () {
        yield { kind: 'organization', ...organization, id: String(organization.id) };
      },
    },
    { kind: 'member', read: () => readMembers(database, organization.id) },
    { kind: 'team', read: () => readTeams(database, organization.id) },
    { kind: 'project', read: () => readProjects(database, schema, projects) },
    { kind: 'environment', read: () => readEnvironments(database, schema, projects) },
    { kind: 'release', read: () => readReleases(database, schema, organization.id, projects) },
    { kind: 'event', read: (after) => readEvents(database, schema, projects, options, after) },
    { kind: 'issue', read: (after) => readIssues(database, schema, projects, after) },
    { kind: 'alert_rule', read: () => readAlerts(database, schema, projects) },
    { kind: 'monitor', read: () => readHeartbeats(database, schema, projects) },
    { kind: 'uptime_monitor', read: () => readUptimeMonitors(database, schema, projects) },
    { kind: 'unmapped', read: () => readUnmapped(database, schema) },
  ];
}

/** Tables whose rows are not read, each with what to do instead. */
const NOT_READ: readonly (readonly [table: string, of: string, reason: string])[] = [
  ['issue_events_userreport', 'user_report', 'Reports of users are not read'],
  ['performance_transactiongroup', 'transaction', 'Transactions are not read: they arrive anew'],
  ['sourcecode_debugsymbolbundle', 'source_map', 'Upload source maps again with your next build'],
  ['uptime_statuspage', 'status_page', 'Set status pages up again: Errata has them on Uptime'],
  ['api_tokens_apitoken', 'token', 'Tokens are secrets: create new ones'],
];

async function* readUnmapped(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
): AsyncGenerator<TransferRecord> {
  for (const [table, of, reason] of NOT_READ) {
    if (schema.tableOf(table) === null) continue;
    const [row] = await database.rows(`SELECT 1 AS one FROM ${table} LIMIT 1`, []);
    if (row) yield unmapped(of, table, table, reason);
  }
}
