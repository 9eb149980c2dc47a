import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

export type StatusPage = {
  organizationId: number;
  /** The last part of the address. */
  slug: string;
  title: string;
  isPublic: boolean;
  showsUrls: boolean;
  /** In the order of their names; those of deleted monitors are gone. */
  monitorIds: readonly number[];
};

/** Public status pages, one for each organization. Source: PostgreSQL. */
export function createStatusPageStore(db: Kysely<Database>) {
  return {
    /** null until it was set up. */
    find: (organizationId: number): Promise<StatusPage | null> =>
      query<StatusPage>`
        SELECT ${PAGE} FROM status_pages AS p WHERE p.organization_id = ${organizationId}`.first(db),

    /** null when no page is public at the address. */
    open: (slug: string): Promise<StatusPage | null> =>
      query<StatusPage>`
        SELECT ${PAGE} FROM status_pages AS p WHERE lower(p.slug) = lower(${slug}) AND p.is_public`.first(db),

    /** Monitors of other organizations are left out. Throws Conflict for an address that is taken. */
    async put(page: StatusPage, atMs: number): Promise<StatusPage> {
      const { organizationId } = page;
      return await refuseTaken(
        'status_pages_slug_uidx',
        () => conflict('This address is taken: choose another one', 'slug'),
        () =>
          db.transaction().execute(async (transaction) => {
            await sql`
              INSERT INTO status_pages (organization_id, slug, title, is_public, shows_urls, updated_at)
              VALUES (${organizationId}, ${page.slug}, ${page.title}, ${page.isPublic}, ${page.showsUrls},
                ${new Date(atMs)})
              ON CONFLICT (organization_id) DO UPDATE SET slug = excluded.slug, title = excluded.title,
                is_public = excluded.is_public, shows_urls = excluded.shows_urls,
                updated_at = excluded.updated_at`.execute(transaction);
            await sql`DELETE FROM status_page_monitors WHERE organization_id = ${organizationId}`.execute(
              transaction,
            );
            await sql`
              INSERT INTO status_page_monitors (organization_id, monitor_id)
              SELECT organization_id, id FROM uptime_monitors
              WHERE organization_id = ${organizationId} AND id = ANY(${page.monitorIds}::bigint[])`.execute(
              transaction,
            );
            return (await query<StatusPage>`
              SELECT ${PAGE} FROM status_pages AS p WHERE p.organization_id = ${organizationId}`.first(
              transaction,
            ))!;
          }),
      );
    },
  };
}

export type StatusPageStore = ReturnType<typeof createStatusPageStore>;

const PAGE = sql`p.organization_id, p.slug, p.title, p.is_public, p.shows_urls, ARRAY(
  SELECT m.id FROM status_page_monitors AS s JOIN uptime_monitors AS m ON m.id = s.monitor_id
  WHERE s.organization_id = p.organization_id ORDER BY lower(m.name), m.id) AS monitor_ids`;
