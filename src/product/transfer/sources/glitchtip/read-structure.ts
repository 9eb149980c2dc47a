import { invalid } from '#lib/errors.ts';
import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { RecordOf, TransferRecord } from '../../records.ts';
import { flagOf, hexOf, numberOf, textOf, timeOf } from '../foreign-values.ts';
import { emailOf } from '../people.ts';
import { placeholders, readPages } from '../read-by-key.ts';
import { unmapped } from '../unmapped.ts';
import type { GlitchtipSchema } from './glitchtip-schema.ts';

export type GlitchtipOrganization = { id: number; slug: string; name: string; isOpen: boolean | null };
export type GlitchtipProject = { id: number; slug: string; row: ForeignRow };

const ROLES = ['member', 'admin', 'manager', 'owner'] as const;

/** The one with the slug, or the only one. Throws Invalid, naming those there are. */
export async function selectOrganization(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  slug: string | null,
): Promise<GlitchtipOrganization> {
  const open = schema.has('organizations_ext_organization', 'open_membership') ? 'open_membership' : 'NULL';
  const rows = await database.rows(
    `SELECT id, slug, name, ${open} AS open_membership FROM organizations_ext_organization ORDER BY id`,
    [],
  );
  const slugs = rows.map((row) => row.slug).join(', ');
  const found = slug === null ? rows : rows.filter((row) => row.slug === slug);
  const [only] = found;
  if (!only) throw invalid(`GlitchTip has no organization ${slug ?? ''}: choose one with --from (${slugs})`);
  if (found.length > 1) {
    throw invalid(`GlitchTip has more than one organization: choose one with --from (${slugs})`);
  }
  return {
    id: numberOf(only.id),
    slug: String(only.slug),
    name: textOf(only.name) ?? String(only.slug),
    isOpen: only.open_membership === null ? null : flagOf(only.open_membership),
  };
}

export async function* readMembers(
  database: ForeignDatabase,
  organizationId: number,
): AsyncGenerator<TransferRecord> {
  const rows = await database.rows(
    `SELECT member.id, member.role, member.email AS invited, person.email, person.name
       FROM organizations_ext_organizationuser member LEFT JOIN users_user person ON person.id = member.user_id
       WHERE member.organization_id = $1 ORDER BY member.id`,
    [organizationId],
  );
  for (const row of rows) {
    const id = String(row.id);
    const email = emailOf(row.email) ?? emailOf(row.invited);
    if (email === null) yield unmapped('member', id, row.name, 'The user has no email address');
    else
      yield {
        kind: 'member',
        id,
        email,
        name: textOf(row.name),
        role: ROLES[numberOf(row.role)] ?? 'member',
      };
  }
}

export async function* readTeams(
  database: ForeignDatabase,
  organizationId: number,
): AsyncGenerator<TransferRecord> {
  const members = await database.rows(
    `SELECT membership.team_id, member.email AS invited, person.email FROM teams_team_members membership
       JOIN organizations_ext_organizationuser member ON member.id = membership.organizationuser_id
       LEFT JOIN users_user person ON person.id = member.user_id
       WHERE member.organization_id = $1 ORDER BY membership.team_id, member.id`,
    [organizationId],
  );
  const byTeam = Map.groupBy(members, ({ team_id }) => numberOf(team_id));
  const teams = await database.rows(
    'SELECT id, slug FROM teams_team WHERE organization_id = $1 ORDER BY id',
    [organizationId],
  );
  for (const { id, slug } of teams) {
    yield {
      kind: 'team',
      id: String(id),
      slug: String(slug),
      name: String(slug),
      members: (byTeam.get(numberOf(id)) ?? []).flatMap(
        (row) => emailOf(row.email) ?? emailOf(row.invited) ?? [],
      ),
    };
  }
}

/** Those that are not being deleted, of the slugs that were asked for; null for all. */
export async function listProjects(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  organizationId: number,
  slugs: ReadonlySet<string> | null,
): Promise<readonly GlitchtipProject[]> {
  const isKept = schema.has('projects_project', 'is_deleted') ? 'NOT is_deleted' : 'TRUE';
  const rows = await database.rows(
    `SELECT id, slug, name, platform, created FROM projects_project WHERE organization_id = $1 AND ${isKept} ORDER BY id`,
    [organizationId],
  );
  return rows
    .map((row) => ({ id: numberOf(row.id), slug: String(row.slug), row }))
    .filter(({ slug }) => slugs === null || slugs.has(slug));
}

export async function* readProjects(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  projects: readonly GlitchtipProject[],
): AsyncGenerator<TransferRecord> {
  const name = schema.has('projects_projectkey', 'name') ? 'name' : 'label';
  const active = schema.has('projects_projectkey', 'is_active') ? 'is_active' : 'TRUE';
  for (const { id, slug, row } of projects) {
    const keys = await database.rows(
      `SELECT public_key, ${name} AS name, ${active} AS is_active FROM projects_projectkey WHERE project_id = $1 ORDER BY id`,
      [id],
    );
    const teams = await database.rows(
      'SELECT team_id FROM teams_team_projects WHERE project_id = $1 ORDER BY team_id',
      [id],
    );
    yield {
      kind: 'project',
      id: String(id),
      number: id,
      slug,
      name: textOf(row.name) ?? slug,
      platform: textOf(row.platform),
      teams: teams.map(({ team_id }) => String(team_id)),
      keys: keys.flatMap((key) => {
        const publicKey = hexOf(key.public_key);
        return publicKey === null
          ? []
          : [{ publicKey, label: textOf(key.name), isActive: flagOf(key.is_active) }];
      }),
      createdAt: timeOf(row.created),
      fingerprintRules: null,
      stackTraceRules: null,
      ownershipRules: null,
    };
  }
}

export async function* readEnvironments(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  projects: readonly GlitchtipProject[],
): AsyncGenerator<TransferRecord> {
  if (schema.tableOf('environments_environmentproject') === null) return;
  for (const { id } of projects) {
    const rows = await database.rows(
      `SELECT environment.name, link.created FROM environments_environmentproject link
         JOIN environments_environment environment ON environment.id = link.environment_id
         WHERE link.project_id = $1 ORDER BY environment.id`,
      [id],
    );
    for (const row of rows) {
      const name = textOf(row.name);
      if (name !== null)
        yield { kind: 'environment', project: String(id), name, firstSeen: timeOf(row.created) };
    }
  }
}

export async function* readReleases(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  organizationId: number,
  projects: readonly GlitchtipProject[],
): AsyncGenerator<TransferRecord> {
  const links = schema.tableOf('releases_releaseproject', 'releases_release_projects');
  if (links === null) return;
  const chosen = new Set(projects.map(({ id }) => id));
  const pages = readPages(
    database,
    `SELECT id, version, created, released, ref, url FROM releases_release
       WHERE id > $1 AND organization_id = $2 ORDER BY id`,
    { after: [0], keyOf: ({ id }) => [numberOf(id)], parameters: [organizationId] },
  );
  for await (const page of pages) {
    const ids = page.map(({ id }) => numberOf(id));
    const linked = await rowsOf(database, `SELECT release_id, project_id FROM ${links}`, 'project_id', ids);
    const deploys = schema.tableOf('releases_deploy')
      ? await rowsOf(
          database,
          'SELECT release_id, environment, url, date_started, date_finished, created FROM releases_deploy',
          'id',
          ids,
        )
      : new Map<number, ForeignRow[]>();
    for (const row of page) {
      const id = numberOf(row.id);
      const version = textOf(row.version);
      const of = (linked.get(id) ?? [])
        .map(({ project_id }) => numberOf(project_id))
        .filter((each) => chosen.has(each));
      if (version === null || of.length === 0) continue;
      yield {
        kind: 'release',
        version,
        projects: of.map(String),
        firstSeen: timeOf(row.created),
        createdAt: timeOf(row.created),
        releasedAt: timeOf(row.released),
        url: textOf(row.url),
        ref: textOf(row.ref),
        commits: [],
        deploys: (deploys.get(id) ?? []).flatMap(deployOf),
      };
    }
  }
}

async function rowsOf(database: ForeignDatabase, select: string, order: string, ids: readonly number[]) {
  const rows = await database.rows(
    `${select} WHERE release_id IN (${placeholders(ids.length)}) ORDER BY release_id, ${order}`,
    ids,
  );
  return Map.groupBy(rows, ({ release_id }) => numberOf(release_id));
}

function deployOf(row: ForeignRow): RecordOf<'release'>['deploys'] {
  const environment = textOf(row.environment);
  const finishedAt = timeOf(row.date_finished) ?? timeOf(row.created);
  if (environment === null || finishedAt === null) return [];
  return [{ environment, name: null, url: textOf(row.url), startedAt: timeOf(row.date_started), finishedAt }];
}
