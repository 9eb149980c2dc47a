import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { conflict, notFound } from '#lib/errors.ts';
import type { ClientKey, Organization, Project, ProjectStore } from '#storage/ports/projects.ts';
import { selectAdmissions, toAdmission } from './key-admissions.ts';
import { isForeignKeyViolation, isUniqueViolation } from './postgres-errors.ts';
import { changeProject, refuseUsedPrefix, slugTaken } from './project-changes.ts';
import type { Database } from './schema.ts';

const ENVIRONMENTS_MAX = 1_000;
const FIRST_KEY_LABEL = 'Default';

export function createProjectStore(db: Kysely<Database>): ProjectStore {
  return {
    async createOrganization({ slug, name }) {
      try {
        return await db.transaction().execute(async (transaction) => {
          await sql`DELETE FROM organization_former_slugs WHERE slug = ${slug}`.execute(transaction);
          const row = await transaction
            .insertInto('organizations')
            .values({ slug, name })
            .returningAll()
            .executeTakeFirstOrThrow();
          return toOrganization(row);
        });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(`An organization has the slug ${slug} already: choose another one`, 'slug');
      }
    },

    async findOrganization(slug) {
      const row = await db
        .selectFrom('organizations')
        .selectAll()
        .where('slug', '=', slug)
        .executeTakeFirst();
      return row ? toOrganization(row) : null;
    },

    async listOrganizations() {
      const rows = await db.selectFrom('organizations').selectAll().orderBy('slug').execute();
      return rows.map(toOrganization);
    },

    async createProject({ organizationId, slug, name, platform, isInternal }) {
      try {
        return await db.transaction().execute(async (transaction) => {
          await refuseUsedPrefix(transaction, organizationId, slug, null);
          const project = await transaction
            .insertInto('projects')
            .values({ organization_id: organizationId, slug, name, platform, is_internal: isInternal })
            .returningAll()
            .executeTakeFirstOrThrow();
          const key = await insertKey(transaction, project.id, FIRST_KEY_LABEL);
          return { project: toProject(project), key: toClientKey(key, organizationId) };
        });
      } catch (error) {
        if (isForeignKeyViolation(error)) throw notFound(`There is no organization ${organizationId}`);
        if (!isUniqueViolation(error, 'projects_slug_uidx')) throw error;
        throw slugTaken(slug);
      }
    },

    async findProject(organizationId, slug) {
      const row = await db
        .selectFrom('projects')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('slug', '=', slug)
        .executeTakeFirst();
      return row ? toProject(row) : null;
    },

    async updateProject(organizationId, projectId, change) {
      const row = await changeProject(db, organizationId, projectId, change);
      return row ? toProject(row) : null;
    },

    async listProjects(organizationId) {
      const rows = await db
        .selectFrom('projects')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('slug')
        .execute();
      return rows.map(toProject);
    },

    async listKeys(organizationId, projectId) {
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

    async listKeysOf(organizationId, projectIds, { after, limit }) {
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

    async createKey(organizationId, projectId, label) {
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

    setKeyActive: (organizationId, keyId, isActive) =>
      updateKey(db, organizationId, keyId, { is_active: isActive }),

    renameKey: (organizationId, keyId, label) => updateKey(db, organizationId, keyId, { label }),

    async deleteKey(organizationId, keyId) {
      const { numDeletedRows } = await db
        .deleteFrom('client_keys')
        .where('id', '=', keyId)
        .where('project_id', 'in', (projects) =>
          projects.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
        )
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async listAdmissions(limit) {
      const rows = await selectAdmissions(db).orderBy('client_keys.id', 'desc').limit(limit).execute();
      return rows.map(toAdmission);
    },

    async findAdmission(publicKey) {
      const row = await selectAdmissions(db)
        .where('client_keys.public_key', '=', publicKey)
        .executeTakeFirst();
      return row ? toAdmission(row) : null;
    },

    async listEnvironments(organizationId, projectIds) {
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
  };
}

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

export const toOrganization = (row: Selectable<Database['organizations']>): Organization => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  isOpen: row.is_open,
  createdAt: row.created_at.getTime(),
});

const toProject = (row: Selectable<Database['projects']>): Project => ({
  id: row.id,
  organizationId: row.organization_id,
  slug: row.slug,
  name: row.name,
  platform: row.platform,
  isInternal: row.is_internal,
  firstEventAt: row.first_event_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
});

const toClientKey = (row: Selectable<Database['client_keys']>, organizationId: number): ClientKey => ({
  id: row.id,
  projectId: row.project_id,
  organizationId,
  publicKey: row.public_key,
  label: row.label,
  isActive: row.is_active,
  createdAt: row.created_at.getTime(),
});
