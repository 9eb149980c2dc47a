import { suggestSlug } from '#lib/slug.ts';
import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { RecordOf, TransferRecord } from '../../records.ts';
import { flagOf, hexOf, numberOf, textOf, timeOf } from '../foreign-values.ts';
import { emailOf } from '../people.ts';
import { readByKey } from '../read-by-key.ts';
import { unmapped } from '../unmapped.ts';

export type BugsinkProject = { id: number; slug: string; row: ForeignRow };

/** Of teams and projects. */
const ADMIN = 1;

/** Bugsink has no organizations: everything is in one. */
export const BUGSINK_ORGANIZATION: RecordOf<'organization'> = {
  kind: 'organization',
  id: 'bugsink',
  slug: 'bugsink',
  name: 'Bugsink',
  isOpen: null,
};

export async function* readMembers(database: ForeignDatabase): AsyncGenerator<TransferRecord> {
  const admins = await database.rows(
    `SELECT DISTINCT user_id FROM teams_teammembership WHERE role = ${ADMIN} AND accepted`,
    [],
  );
  const adminIds = new Set(admins.map(({ user_id }) => numberOf(user_id)));
  const users = readByKey(
    database,
    'SELECT id, email, username, first_name, last_name, is_superuser, is_active FROM auth_user WHERE id > $1 ORDER BY id',
    { after: [0], keyOf: ({ id }) => [numberOf(id)] },
  );
  for await (const user of users) {
    const id = String(user.id);
    // Usernames are addresses, unless somebody made the user by hand.
    const email = emailOf(user.email) ?? emailOf(user.username);
    const name = textOf(`${user.first_name ?? ''} ${user.last_name ?? ''}`.trim());
    if (!flagOf(user.is_active)) yield unmapped('member', id, user.username, 'The user is deactivated');
    else if (email === null) yield unmapped('member', id, user.username, 'The user has no email address');
    else {
      const role = flagOf(user.is_superuser) ? 'owner' : adminIds.has(numberOf(user.id)) ? 'admin' : 'member';
      yield { kind: 'member', id, email, name, role };
    }
  }
}

export async function* readTeams(database: ForeignDatabase): AsyncGenerator<TransferRecord> {
  const members = await database.rows(
    `SELECT CAST(m.team_id AS text) AS team_id, u.email, u.username FROM teams_teammembership m
       JOIN auth_user u ON u.id = m.user_id WHERE m.accepted AND u.is_active ORDER BY m.id`,
    [],
  );
  const byTeam = Map.groupBy(members, ({ team_id }) => hexOf(team_id) ?? '');
  for (const team of await database.rows(
    'SELECT CAST(id AS text) AS id, name FROM teams_team ORDER BY id',
    [],
  )) {
    const id = hexOf(team.id) ?? String(team.id);
    const name = textOf(team.name) ?? id;
    yield {
      kind: 'team',
      id,
      slug: suggestSlug(name) || id,
      name,
      members: (byTeam.get(id) ?? []).flatMap(
        ({ email, username }) => emailOf(email) ?? emailOf(username) ?? [],
      ),
    };
  }
}

/** Those that are not being deleted, of the slugs that were asked for; null for all. */
export async function listProjects(
  database: ForeignDatabase,
  slugs: ReadonlySet<string> | null,
): Promise<readonly BugsinkProject[]> {
  const rows = await database.rows(
    `SELECT id, name, slug, CAST(sentry_key AS text) AS sentry_key, CAST(team_id AS text) AS team_id,
       alert_on_new_issue, alert_on_regression, alert_on_unmute
       FROM projects_project WHERE NOT is_deleted ORDER BY id`,
    [],
  );
  return rows
    .map((row) => ({ id: numberOf(row.id), slug: String(row.slug), row }))
    .filter(({ slug }) => slugs === null || slugs.has(slug));
}

export function* projectRecords(projects: readonly BugsinkProject[]): Generator<TransferRecord> {
  for (const { id, slug, row } of projects) {
    const publicKey = hexOf(row.sentry_key);
    const team = hexOf(row.team_id);
    yield {
      kind: 'project',
      id: String(id),
      number: id,
      slug,
      name: textOf(row.name) ?? slug,
      platform: null,
      teams: team === null ? [] : [team],
      keys: publicKey === null ? [] : [{ publicKey, label: null, isActive: true }],
      createdAt: null,
      fingerprintRules: null,
      stackTraceRules: null,
      ownershipRules: null,
    };
  }
}

export async function* readEnvironments(
  database: ForeignDatabase,
  projects: readonly BugsinkProject[],
): AsyncGenerator<TransferRecord> {
  for (const { id } of projects) {
    const rows = await database.rows(
      `SELECT environment, MIN(ingested_at) AS first_seen FROM events_event
         WHERE project_id = $1 AND environment <> '' GROUP BY environment ORDER BY environment`,
      [id],
    );
    for (const row of rows) {
      const name = textOf(row.environment);
      if (name !== null)
        yield { kind: 'environment', project: String(id), name, firstSeen: timeOf(row.first_seen) };
    }
  }
}

/** Releases belong to one project there, and to the organization here. */
export async function* readReleases(
  database: ForeignDatabase,
  projects: readonly BugsinkProject[],
): AsyncGenerator<TransferRecord> {
  const chosen = new Set(projects.map(({ id }) => id));
  const rows = readByKey(
    database,
    `SELECT version, project_id, date_released FROM releases_release
       WHERE (version, project_id) > ($1, $2) ORDER BY version, project_id`,
    // The empty version stands for events without one, and sorts first.
    {
      after: ['', Number.MAX_SAFE_INTEGER],
      keyOf: ({ version, project_id }) => [String(version), numberOf(project_id)],
    },
  );
  let release = null as RecordOf<'release'> | null;
  for await (const row of rows) {
    const project = numberOf(row.project_id);
    const version = textOf(row.version);
    if (!chosen.has(project) || version === null) continue;
    const firstSeen = timeOf(row.date_released);
    if (release?.version === version) {
      release.projects.push(String(project));
      if (firstSeen !== null && (release.firstSeen === null || firstSeen < release.firstSeen))
        release.firstSeen = firstSeen;
      continue;
    }
    if (release) yield release;
    release = {
      kind: 'release',
      version,
      projects: [String(project)],
      firstSeen,
      createdAt: firstSeen,
      releasedAt: null,
      url: null,
      ref: null,
      commits: [],
      deploys: [],
    };
  }
  if (release) yield release;
}
