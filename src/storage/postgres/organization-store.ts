import { type Kysely, type Selectable, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { OrganizationStore } from '#storage/ports/organizations.ts';
import { isUniqueViolation } from './postgres-errors.ts';
import { toOrganization } from './project-store.ts';
import type { Database } from './schema.ts';

export function createOrganizationStore(db: Kysely<Database>): OrganizationStore {
  return {
    async update(organizationId, { name, slug, isOpen }, nowMs) {
      try {
        return await db.transaction().execute(async (transaction) => {
          if (slug !== undefined) {
            await sql`
              INSERT INTO organization_former_slugs (slug, organization_id, changed_at)
              SELECT slug, id, ${new Date(nowMs)} FROM organizations WHERE id = ${organizationId} AND slug <> ${slug}
              ON CONFLICT (slug) DO UPDATE
              SET organization_id = excluded.organization_id, changed_at = excluded.changed_at`.execute(
              transaction,
            );
            await sql`DELETE FROM organization_former_slugs WHERE slug = ${slug}`.execute(transaction);
          }
          const { rows } = await sql<Selectable<Database['organizations']>>`
            UPDATE organizations
            SET name = coalesce(${name ?? null}, name), slug = coalesce(${slug ?? null}, slug),
              is_open = coalesce(${isOpen ?? null}, is_open)
            WHERE id = ${organizationId} RETURNING *`.execute(transaction);
          return rows[0] ? toOrganization(rows[0]) : null;
        });
      } catch (error) {
        if (!isUniqueViolation(error, 'organizations_slug_uidx')) throw error;
        throw conflict(`An organization has the slug ${slug} already: choose another one`, 'slug');
      }
    },

    async delete(organizationId) {
      const { numAffectedRows } = await sql`DELETE FROM organizations WHERE id = ${organizationId}`.execute(
        db,
      );
      return numAffectedRows === 1n;
    },

    async findByFormerSlug(slug) {
      const { rows } = await sql<Selectable<Database['organizations']>>`
        SELECT o.* FROM organization_former_slugs f JOIN organizations o ON o.id = f.organization_id
        WHERE f.slug = ${slug}`.execute(db);
      return rows[0] ? toOrganization(rows[0]) : null;
    },
  };
}
