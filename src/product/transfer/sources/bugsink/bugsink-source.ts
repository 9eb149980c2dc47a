import { notFound } from '#lib/errors.ts';
import type { ForeignDatabase } from '#storage/ports/foreign-database.ts';
import type { TransferRecord } from '../../records.ts';
import type { ReadOptions, TransferSource } from '../../transfer-source.ts';
import { numberOf } from '../foreign-values.ts';
import { readSteps, type SourceStep } from '../read-steps.ts';
import { unmapped } from '../unmapped.ts';
import { type BugsinkSchema, readBugsinkSchema } from './bugsink-schema.ts';
import { openEventFiles } from './event-files.ts';
import { readAlerts } from './read-alerts.ts';
import { readEvents } from './read-events.ts';
import { readIssues } from './read-issues.ts';
import {
  BUGSINK_ORGANIZATION,
  type BugsinkProject,
  listProjects,
  projectRecords,
  readEnvironments,
  readMembers,
  readReleases,
  readTeams,
} from './read-structure.ts';

/**
 * Bugsink from 2.0 on by its database. `eventStorage`: the folder of bodies that are not in the database, null for none. Throws
 * Invalid for the database of another program or version.
 */
export async function openBugsinkSource(
  database: ForeignDatabase,
  { eventStorage }: { eventStorage: string | null },
): Promise<TransferSource> {
  const schema = await readBugsinkSchema(database);
  return {
    name: `Bugsink in ${database.place}`,
    key: `bugsink ${schema.installationId ?? database.place}`.slice(0, 500),
    async *read(options) {
      const projects = await listProjects(database, options.projects);
      yield* readSteps(stepsOf(database, schema, projects, eventStorage, options), options);
    },
    openFile: async (path) => {
      throw notFound(`Bugsink keeps no file ${path}`);
    },
    close: () => database.close(),
  };
}

function stepsOf(
  database: ForeignDatabase,
  schema: BugsinkSchema,
  projects: readonly BugsinkProject[],
  eventStorage: string | null,
  options: ReadOptions,
): readonly SourceStep[] {
  const files = eventStorage === null ? null : openEventFiles(eventStorage);
  return [
    {
      kind: 'organization',
      read: async function* () {
        yield BUGSINK_ORGANIZATION;
      },
    },
    { kind: 'member', read: () => readMembers(database) },
    { kind: 'team', read: () => readTeams(database) },
    {
      kind: 'project',
      read: async function* () {
        yield* projectRecords(projects);
      },
    },
    { kind: 'environment', read: () => readEnvironments(database, projects) },
    { kind: 'release', read: () => readReleases(database, projects) },
    { kind: 'event', read: (after) => readEvents(database, projects, files, options, after) },
    { kind: 'issue', read: (after) => readIssues(database, projects, schema, after) },
    { kind: 'alert_rule', read: () => readAlerts(database, projects, schema) },
    { kind: 'unmapped', read: () => readUnmapped(database, schema) },
  ];
}

/** What Bugsink has that is not read, as far as there is any. */
async function* readUnmapped(
  database: ForeignDatabase,
  schema: BugsinkSchema,
): AsyncGenerator<TransferRecord> {
  const count = async (from: string) =>
    numberOf((await database.rows(`SELECT COUNT(*) AS count FROM ${from}`, []))[0]?.count);
  const tokens = schema.hasTokens ? await count('bsmain_authtoken') : 0;
  if (tokens > 0)
    yield unmapped('token', 'tokens', `${tokens} API tokens`, 'Tokens are secrets: create new ones');
  const files = schema.hasFiles ? await count('files_filemetadata') : 0;
  if (files > 0) {
    yield unmapped(
      'source_map',
      'files',
      `${files} source maps and debug files`,
      'Upload them again with your next build',
    );
  }
  const direct = await count(
    `projects_projectmembership m JOIN projects_project p ON p.id = m.project_id
       LEFT JOIN teams_teammembership t ON t.team_id = p.team_id AND t.user_id = m.user_id AND t.accepted
       WHERE m.accepted AND t.id IS NULL AND NOT p.is_deleted`,
  );
  if (direct > 0) {
    yield unmapped(
      'project_membership',
      'project-members',
      `${direct} memberships`,
      'People see projects through teams here: add them to a team of the project',
    );
  }
}
