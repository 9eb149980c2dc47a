import { type Kysely, sql } from 'kysely';
import type { Organization } from '#domain/projects.ts';
import { conflict } from '#lib/errors.ts';
import { isUniqueViolation } from '#storage/sql/postgres-errors.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** What of an organization can be changed. */
export type OrganizationChange = { name?: string; slug?: string; isOpen?: boolean };

/** The settings of organizations themselves. Source: PostgreSQL. */
export function createOrganizationStore(db: Kysely<Database>) {
  return {
    /** A changed slug leads to the organization still. null when there is none. Throws Conflict when the slug is taken. */
    async update(
      organizationId: number,
      { name, slug, isOpen }: OrganizationChange,
      nowMs: number,
    ): Promise<Organization | null> {
      try {
        return await db.transaction().execute(async (transaction) => {
          if (slug !== undefined) {
            await sql`
              INSERT INTO organization_former_slugs (slug, organization_id, changed_at)
              SELECT slug, id, ${new Date(nowMs)} FROM organizations WHERE id = ${organizationId} AND slug <> ${slug}
              ON CONFLICT (slug) DO UPDATE
              SET organization_id = excluded.organization_id, changed_at = excluded.changed_at
            `.execute(transaction);
            await sql`DELETE FROM organization_former_slugs WHERE slug = ${slug}`.execute(transaction);
          }
          return await query<Organization>`
            UPDATE organizations
            SET name = coalesce(${name ?? null}, name), slug = coalesce(${slug ?? null}, slug),
              is_open = coalesce(${isOpen ?? null}, is_open)
            WHERE id = ${organizationId}
            RETURNING id, slug, name, is_open, created_at`.first(transaction);
        });
      } catch (error) {
        if (!isUniqueViolation(error, 'organizations_slug_uidx')) throw error;
        throw conflict(
          `The slug ${slug} is already used by another organization: choose another slug`,
          'slug',
        );
      }
    },

    /** With all that hangs on it but projects, which have a deletion of their own. False when there is none. */
    async delete(organizationId: number): Promise<boolean> {
      const changed = await affectedRows`DELETE FROM organizations WHERE id = ${organizationId}
      `.execute(db);
      return changed === 1;
    },

    /** The organization that had the slug before; null when none had, or another one has it now. */
    findByFormerSlug: (slug: string): Promise<Organization | null> =>
      query<Organization>`
        SELECT o.id, o.slug, o.name, o.is_open, o.created_at
        FROM organization_former_slugs f JOIN organizations o ON o.id = f.organization_id
        WHERE f.slug = ${slug}`.first(db),
  };
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;
