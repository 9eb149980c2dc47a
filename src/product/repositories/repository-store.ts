import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type { Repository } from './repository.ts';

export type RepositoryDraft = Pick<Repository, 'name' | 'provider' | 'url' | 'linkTemplate'>;

/** Source: PostgreSQL. Every call is scoped by organization. */
export const createRepositoryStore = (db: Kysely<Database>) => ({
  /**
   * By name, after the given one; `search` keeps those whose name contains it, in either case; `seenIn` those that one of
   * the projects uses, by a code mapping or the commits of a release, and those that nothing uses. null for all.
   */
  list: (
    organizationId: number,
    {
      search,
      seenIn,
      limit,
      after,
    }: {
      search: string;
      seenIn: readonly number[] | null;
      limit: number;
      after: { name: string; id: number } | null;
    },
  ): Promise<readonly Repository[]> =>
    query<Repository>`
      SELECT ${REPOSITORY} FROM repositories
      WHERE organization_id = ${organizationId} AND position(lower(${toStorableText(search)}) IN lower(name)) > 0
        AND ${isSeenIn(seenIn)}
        AND (${after === null} OR (name COLLATE "C", id) > (${toStorableText(after?.name ?? '')}::text, ${after?.id ?? 0}::bigint))
      ORDER BY name COLLATE "C", id LIMIT ${limit}`.execute(db),

  /** null when there is none, or none that is `seenIn` the projects, as above. */
  find: (
    organizationId: number,
    repositoryId: number,
    seenIn: readonly number[] | null,
  ): Promise<Repository | null> =>
    query<Repository>`
      SELECT ${REPOSITORY} FROM repositories
      WHERE organization_id = ${organizationId} AND id = ${repositoryId} AND ${isSeenIn(seenIn)}`.first(db),

  /** Those that there are. */
  findByIds: (organizationId: number, repositoryIds: readonly number[]): Promise<readonly Repository[]> =>
    query<Repository>`
      SELECT ${REPOSITORY} FROM repositories
      WHERE organization_id = ${organizationId} AND id = ANY(${repositoryIds}::bigint[]) ORDER BY id`.execute(
      db,
    ),

  findByName: (organizationId: number, name: string): Promise<Repository | null> =>
    query<Repository>`
      SELECT ${REPOSITORY} FROM repositories
      WHERE organization_id = ${organizationId} AND name = ${toStorableText(name)}`.first(db),

  /** Those that are not there are made, of an unknown provider. The number by name. */
  async ensure(
    organizationId: number,
    names: readonly string[],
    atMs: number,
  ): Promise<ReadonlyMap<string, number>> {
    const distinct = [...new Set(names.map(toStorableText))].sort();
    if (distinct.length === 0) return new Map();
    await sql`
      INSERT INTO repositories (organization_id, name, created_at)
      SELECT ${organizationId}, name, ${new Date(atMs)} FROM unnest(${distinct}::text[]) AS name
      ON CONFLICT DO NOTHING`.execute(db);
    const found = await query<{ id: number; name: string }>`
      SELECT id, name FROM repositories
      WHERE organization_id = ${organizationId} AND name = ANY(${distinct}::text[])`.execute(db);
    return new Map(found.map(({ name, id }) => [name, id]));
  },

  async count(organizationId: number): Promise<number> {
    const counted = await query<{ count: number }>`
      SELECT count(*) FROM repositories WHERE organization_id = ${organizationId}`.first(db);
    return counted?.count ?? 0;
  },

  /** Throws Conflict when the name is taken. */
  async create(organizationId: number, draft: RepositoryDraft, atMs: number): Promise<Repository> {
    const { name, provider, url, linkTemplate } = draft;
    const created = await refuseTaken(NAME, nameTaken(name), () =>
      query<Repository>`
        INSERT INTO repositories (organization_id, name, provider, url, link_template, created_at)
        VALUES (${organizationId}, ${name}, ${provider}, ${url}, ${linkTemplate}, ${new Date(atMs)})
        RETURNING ${REPOSITORY}`.first(db),
    );
    return created!;
  },

  /** null when the organization has no such repository. Throws Conflict when the name is taken. */
  async update(
    organizationId: number,
    repositoryId: number,
    draft: RepositoryDraft,
  ): Promise<Repository | null> {
    const { name, provider, url, linkTemplate } = draft;
    return await refuseTaken(NAME, nameTaken(name), () =>
      query<Repository>`
        UPDATE repositories SET name = ${name}, provider = ${provider}, url = ${url}, link_template = ${linkTemplate}
        WHERE organization_id = ${organizationId} AND id = ${repositoryId} RETURNING ${REPOSITORY}`.first(db),
    );
  },

  /** With its commits and code mappings. null when the organization has no such repository. */
  delete: (organizationId: number, repositoryId: number): Promise<Repository | null> =>
    query<Repository>`
      DELETE FROM repositories WHERE organization_id = ${organizationId} AND id = ${repositoryId}
      RETURNING ${REPOSITORY}`.first(db),
});

export type RepositoryStore = ReturnType<typeof createRepositoryStore>;

const NAME = 'repositories_name_uidx';

const nameTaken = (name: string) => () =>
  conflict(`A repository named "${name}" already exists: edit that one`, 'name');

/** A release that has commits of a repository has a head of it. */
const isSeenIn = (projectIds: readonly number[] | null) =>
  projectIds === null
    ? sql`true`
    : sql`(
        repositories.id IN (
          SELECT repository_id FROM code_mappings WHERE project_id = ANY(${[...projectIds]}::bigint[])
          UNION ALL
          SELECT repository_id FROM release_heads JOIN release_projects USING (release_id)
          WHERE project_id = ANY(${[...projectIds]}::bigint[])
        )
        OR NOT (
          EXISTS (SELECT FROM code_mappings WHERE repository_id = repositories.id)
          OR EXISTS (SELECT FROM commits WHERE repository_id = repositories.id)
          OR repositories.id IN (SELECT repository_id FROM release_heads)
        )
      )`;

const REPOSITORY = sql`id, organization_id, name, provider, url, link_template, created_at`;
