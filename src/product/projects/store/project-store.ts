import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ClientKey, KeyAdmission, Organization, Project } from '#domain/projects.ts';
import { conflict, notFound } from '#lib/errors.ts';
import { isForeignKeyViolation, isUniqueViolation } from '#storage/sql/postgres-errors.ts';
import { camelRow, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { selectAdmissions, toAdmission } from './key-admissions.ts';

/** What is absent stays; the platform null is none. */
export type ProjectChange = { name?: string | undefined; slug?: string; platform?: string | null };

const ENVIRONMENTS_MAX = 1_000;
const FIRST_KEY_LABEL = 'Default';

/** Organizations, projects and client keys. Source: PostgreSQL. */
export function createProjectStore(db: Kysely<Database>) {
  return {
    /** Throws Conflict when the slug is taken. */
    async createOrganization({ slug, name }: { slug: string; name: string }): Promise<Organization> {
      try {
        return await db.transaction().execute(async (transaction) => {
          await sql`DELETE FROM organization_former_slugs WHERE slug = ${slug}`.execute(transaction);
          const row = await transaction
            .insertInto('organizations')
            .values({ slug, name })
            .returning(ORGANIZATION_COLUMNS)
            .executeTakeFirstOrThrow();
          return camelRow(row);
        });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(
          `The slug ${slug} is already used by another organization: choose another slug`,
          'slug',
        );
      }
    },

    async findOrganization(slug: string): Promise<Organization | null> {
      const row = await db
        .selectFrom('organizations')
        .select(ORGANIZATION_COLUMNS)
        .where('slug', '=', slug)
        .executeTakeFirst();
      return row ? camelRow(row) : null;
    },

    async listOrganizations(): Promise<readonly Organization[]> {
      const rows = await db
        .selectFrom('organizations')
        .select(ORGANIZATION_COLUMNS)
        .orderBy('slug')
        .execute();
      return rows.map(camelRow);
    },

    /** Creates the project with its first client key in one transaction. Throws Conflict as `updateProject`. */
    async createProject({
      organizationId,
      slug,
      name,
      platform,
      isInternal,
    }: {
      organizationId: number;
      slug: string;
      name: string;
      platform: string | null;
      isInternal: boolean;
    }): Promise<{ project: Project; key: ClientKey }> {
      try {
        return await db.transaction().execute(async (transaction) => {
          await refuseUsedPrefix(transaction, organizationId, slug, null);
          const project = await transaction
            .insertInto('projects')
            .values({ organization_id: organizationId, slug, name, platform, is_internal: isInternal })
            .returning(PROJECT_COLUMNS)
            .executeTakeFirstOrThrow();
          const key = await insertKey(transaction, project.id, FIRST_KEY_LABEL);
          return { project: camelRow(project), key: toClientKey(key, organizationId) };
        });
      } catch (error) {
        if (isForeignKeyViolation(error)) throw notFound(`Organization ${organizationId} does not exist`);
        if (!isUniqueViolation(error, 'projects_slug_uidx')) throw error;
        throw slugTaken(slug);
      }
    },

    async findProject(organizationId: number, slug: string): Promise<Project | null> {
      const row = await db
        .selectFrom('projects')
        .select(PROJECT_COLUMNS)
        .where('organization_id', '=', organizationId)
        .where('slug', '=', slug)
        .executeTakeFirst();
      return row ? camelRow(row) : null;
    },

    /** null when there is no such project. Throws Conflict for a slug in use or used in short ids of another one. */
    async updateProject(
      organizationId: number,
      projectId: number,
      { name, slug, platform }: ProjectChange,
    ): Promise<Project | null> {
      try {
        return await db.transaction().execute(async (transaction) => {
          if (slug !== undefined) await refuseUsedPrefix(transaction, organizationId, slug, projectId);
          const row = await transaction
            .updateTable('projects')
            .set((columns) => ({
              name: name ?? columns.ref('name'),
              slug: slug ?? columns.ref('slug'),
              platform: platform === undefined ? columns.ref('platform') : platform,
            }))
            .where('organization_id', '=', organizationId)
            .where('id', '=', projectId)
            .returning(PROJECT_COLUMNS)
            .executeTakeFirst();
          return row ? camelRow(row) : null;
        });
      } catch (error) {
        if (isUniqueViolation(error, 'projects_slug_uidx')) throw slugTaken(slug ?? '');
        throw error;
      }
    },

    /** By slug, ascending. */
    async listProjects(organizationId: number): Promise<readonly Project[]> {
      const rows = await db
        .selectFrom('projects')
        .select(PROJECT_COLUMNS)
        .where('organization_id', '=', organizationId)
        .orderBy('slug')
        .execute();
      return rows.map(camelRow);
    },

    /** Oldest first. */
    async listKeys(organizationId: number, projectId: number): Promise<readonly ClientKey[]> {
      const rows = await db
        .selectFrom('client_keys')
        .innerJoin('projects', 'projects.id', 'client_keys.project_id')
        .selectAll('client_keys')
        .where('projects.organization_id', '=', organizationId)
        .where('client_keys.project_id', '=', projectId)
        .orderBy('client_keys.id')
        .execute();
      return rows.map((row) => toClientKey(row, organizationId));
    },

    /** As `listKeys`, of several projects; those after the key with the number `after`, at most `limit`. */
    async listKeysOf(
      organizationId: number,
      projectIds: readonly number[],
      { after, limit }: { after: number; limit: number },
    ): Promise<readonly ClientKey[]> {
      const rows = await db
        .selectFrom('client_keys')
        .innerJoin('projects', 'projects.id', 'client_keys.project_id')
        .selectAll('client_keys')
        .where('projects.organization_id', '=', organizationId)
        .where('client_keys.project_id', '=', (column) => column.fn.any(column.val(projectIds)))
        .where('client_keys.id', '>', after)
        .orderBy('client_keys.id')
        .limit(limit)
        .execute();
      return rows.map((row) => toClientKey(row, organizationId));
    },

    async createKey(organizationId: number, projectId: number, label: string): Promise<ClientKey> {
      return await db.transaction().execute(async (transaction) => {
        const project = await transaction
          .selectFrom('projects')
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('id', '=', projectId)
          .forShare()
          .executeTakeFirst();
        if (!project) throw notFound(`This organization has no project ${projectId}`);
        return toClientKey(await insertKey(transaction, projectId, label), organizationId);
      });
    },

    setKeyActive: (organizationId: number, keyId: number, isActive: boolean): Promise<ClientKey | null> =>
      updateKey(db, organizationId, keyId, { is_active: isActive }),

    renameKey: (organizationId: number, keyId: number, label: string): Promise<ClientKey | null> =>
      updateKey(db, organizationId, keyId, { label }),

    /** With its limits; edges turn it away within seconds. False when the organization has no such key. */
    async deleteKey(organizationId: number, keyId: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('client_keys')
        .where('id', '=', keyId)
        .where('project_id', 'in', (projects) =>
          projects.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
        )
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Every key of the instance, at most `limit`; for the edge's table. */
    async listAdmissions(limit: number): Promise<readonly KeyAdmission[]> {
      const rows = await selectAdmissions(db).orderBy('client_keys.id', 'desc').limit(limit).execute();
      return rows.map(toAdmission);
    },

    async findAdmission(publicKey: string): Promise<KeyAdmission | null> {
      const row = await selectAdmissions(db)
        .where('client_keys.public_key', '=', publicKey)
        .executeTakeFirst();
      return row ? toAdmission(row) : null;
    },

    /** Environments and releases that were seen, newest first. */
    async listEnvironments(
      organizationId: number,
      projectIds: readonly number[],
    ): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('environments')
        .select((columns) => ['name', columns.fn.max('first_seen').as('newest')])
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', (column) => column.fn.any(column.val(projectIds)))
        .groupBy('name')
        .orderBy('newest', 'desc')
        .orderBy('name')
        .limit(ENVIRONMENTS_MAX)
        .execute();
      return rows.map((row) => row.name);
    },

    /** Those of each project, newest first; projects without any are left out. At most 1,000 in all. */
    async listProjectEnvironments(
      organizationId: number,
      projectIds: readonly number[],
    ): Promise<ReadonlyMap<number, readonly string[]>> {
      const rows = await db
        .selectFrom('environments')
        .select((columns) => ['project_id', 'name', columns.fn.max('first_seen').as('newest')])
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', (column) => column.fn.any(column.val(projectIds)))
        .groupBy(['project_id', 'name'])
        .orderBy('newest', 'desc')
        .orderBy('name')
        .limit(ENVIRONMENTS_MAX)
        .execute();
      const names = new Map<number, string[]>();
      for (const { project_id: id, name } of rows)
        names.set(Number(id), [...(names.get(Number(id)) ?? []), name]);
      return names;
    },
  };
}

export type ProjectStore = ReturnType<typeof createProjectStore>;

const insertKey = (db: Kysely<Database>, projectId: number, label: string) =>
  db
    .insertInto('client_keys')
    .values({ project_id: projectId, public_key: randomBytes(16).toString('hex'), label })
    .returningAll()
    .executeTakeFirstOrThrow();

async function updateKey(
  db: Kysely<Database>,
  organizationId: number,
  keyId: number,
  change: { is_active?: boolean; label?: string },
): Promise<ClientKey | null> {
  const row = await db
    .updateTable('client_keys')
    .set(change)
    .where('id', '=', keyId)
    .where('project_id', 'in', (projects) =>
      projects.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
    )
    .returningAll()
    .executeTakeFirst();
  return row ? toClientKey(row, organizationId) : null;
}

const ORGANIZATION_COLUMNS = ['id', 'slug', 'name', 'is_open', 'created_at'] as const;

const PROJECT_COLUMNS = [
  'id',
  'organization_id',
  'slug',
  'name',
  'platform',
  'is_internal',
  'first_event_at',
  'created_at',
] as const satisfies readonly (keyof Database['projects'])[];

const toClientKey = (row: Selectable<Database['client_keys']>, organizationId: number): ClientKey => ({
  ...camelRow(row),
  organizationId,
});

const slugTaken = (slug: string) =>
  conflict(
    `The slug ${slug} is already used by another project in this organization: choose another slug`,
    'slug',
  );

/** Short ids begin with a former slug and are never reused, so another project must not get that slug. */
async function refuseUsedPrefix(
  db: Kysely<Database>,
  organizationId: number,
  slug: string,
  projectId: number | null,
): Promise<void> {
  const used = await query<{ shortId: string }>`
    SELECT short_id FROM issues
    WHERE organization_id = ${organizationId} AND project_id IS DISTINCT FROM ${projectId}::bigint
      AND starts_with(short_id, ${`${slug.toUpperCase()}-`}) AND short_id ~ '-[0-9A-Z]+$'
      AND position('-' IN substr(short_id, ${slug.length + 2})) = 0
    LIMIT 1`.first(db);
  if (!used) return;
  throw conflict(
    `Issues from a project that previously used this slug still exist, such as ${used.shortId}: choose another slug`,
    'slug',
  );
}
