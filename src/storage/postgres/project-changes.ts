import { type Kysely, type Selectable, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { ProjectChange } from '#storage/ports/projects.ts';
import { isUniqueViolation } from './postgres-errors.ts';
import type { Database } from './schema.ts';

/** null when the organization has no such project. Throws Conflict for a slug that cannot be had. */
export async function changeProject(
  db: Kysely<Database>,
  organizationId: number,
  projectId: number,
  { name, slug, platform }: ProjectChange,
): Promise<Selectable<Database['projects']> | null> {
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
        .returningAll()
        .executeTakeFirst();
      return row ?? null;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'projects_slug_uidx')) throw slugTaken(slug ?? '');
    throw error;
  }
}

export const slugTaken = (slug: string) =>
  conflict(`A project of this organization has the slug ${slug} already: choose another one`, 'slug');

/**
 * Issues are named by the slug that their project had, and each name is given once: another project with that slug would
 * give it again.
 */
export async function refuseUsedPrefix(
  db: Kysely<Database>,
  organizationId: number,
  slug: string,
  projectId: number | null,
): Promise<void> {
  const { rows } = await sql<{ short_id: string }>`
    SELECT short_id FROM issues
    WHERE organization_id = ${organizationId} AND project_id IS DISTINCT FROM ${projectId}::bigint
      AND starts_with(short_id, ${`${slug.toUpperCase()}-`}) AND short_id ~ '-[0-9A-Z]+$'
      AND position('-' IN substr(short_id, ${slug.length + 2})) = 0
    LIMIT 1`.execute(db);
  const [used] = rows;
  if (!used) return;
  throw conflict(
    `Issues of a project that had this slug before are still there, such as ${used.short_id}: choose another slug`,
    'slug',
  );
}
