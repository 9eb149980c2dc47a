import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type {
  Repository,
  RepositoryDraft,
  RepositoryProvider,
  RepositoryStore,
} from '#storage/ports/repositories.ts';
import { isUniqueViolation } from './postgres-errors.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

export const createRepositoryStore = (db: Kysely<Database>): RepositoryStore => ({
  async list(organizationId, { search, seenIn, limit, after }) {
    const { rows } = await sql<RepositoryRow>`
      SELECT ${REPOSITORY} FROM repositories
      WHERE organization_id = ${organizationId} AND position(lower(${toStorableText(search)}) IN lower(name)) > 0
        AND ${isSeenIn(seenIn)}
        AND (${after === null} OR (name COLLATE "C", id) > (${toStorableText(after?.name ?? '')}::text, ${after?.id ?? 0}::bigint))
      ORDER BY name COLLATE "C", id LIMIT ${limit}`.execute(db);
    return rows.map(toRepository);
  },

  async find(organizationId, repositoryId, seenIn) {
    const { rows } = await sql<RepositoryRow>`
      SELECT ${REPOSITORY} FROM repositories
      WHERE organization_id = ${organizationId} AND id = ${repositoryId} AND ${isSeenIn(seenIn)}`.execute(db);
    return rows[0] ? toRepository(rows[0]) : null;
  },

  async findByIds(organizationId, repositoryIds) {
    const { rows } = await sql<RepositoryRow>`
      SELECT ${REPOSITORY} FROM repositories
      WHERE organization_id = ${organizationId} AND id = ANY(${repositoryIds}::bigint[]) ORDER BY id`.execute(
      db,
    );
    return rows.map(toRepository);
  },

  async findByName(organizationId, name) {
    const { rows } = await sql<RepositoryRow>`
      SELECT ${REPOSITORY} FROM repositories
      WHERE organization_id = ${organizationId} AND name = ${toStorableText(name)}`.execute(db);
    return rows[0] ? toRepository(rows[0]) : null;
  },

  async ensure(organizationId, names, atMs) {
    const distinct = [...new Set(names.map(toStorableText))].sort();
    if (distinct.length === 0) return new Map();
    await sql`
      INSERT INTO repositories (organization_id, name, created_at)
      SELECT ${organizationId}, name, ${new Date(atMs)} FROM unnest(${distinct}::text[]) AS name
      ON CONFLICT DO NOTHING`.execute(db);
    const { rows } = await sql<{ id: number; name: string }>`
      SELECT id, name FROM repositories
      WHERE organization_id = ${organizationId} AND name = ANY(${distinct}::text[])`.execute(db);
    return new Map(rows.map((row) => [row.name, row.id]));
  },

  async count(organizationId) {
    const { rows } = await sql<{ repositories: number }>`
      SELECT count(*) AS repositories FROM repositories WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    return Number(rows[0]?.repositories ?? 0);
  },

  async create(organizationId, draft, atMs) {
    return await refuseTaken(draft, async () => {
      const { name, provider, url, linkTemplate } = draft;
      const { rows } = await sql<RepositoryRow>`
        INSERT INTO repositories (organization_id, name, provider, url, link_template, created_at)
        VALUES (${organizationId}, ${name}, ${provider}, ${url}, ${linkTemplate}, ${new Date(atMs)})
        RETURNING ${REPOSITORY}`.execute(db);
      return toRepository(rows[0]!);
    });
  },

  async update(organizationId, repositoryId, draft) {
    return await refuseTaken(draft, async () => {
      const { name, provider, url, linkTemplate } = draft;
      const { rows } = await sql<RepositoryRow>`
        UPDATE repositories SET name = ${name}, provider = ${provider}, url = ${url}, link_template = ${linkTemplate}
        WHERE organization_id = ${organizationId} AND id = ${repositoryId} RETURNING ${REPOSITORY}`.execute(
        db,
      );
      return rows[0] ? toRepository(rows[0]) : null;
    });
  },

  async delete(organizationId, repositoryId) {
    const { rows } = await sql<RepositoryRow>`
      DELETE FROM repositories WHERE organization_id = ${organizationId} AND id = ${repositoryId}
      RETURNING ${REPOSITORY}`.execute(db);
    return rows[0] ? toRepository(rows[0]) : null;
  },
});

async function refuseTaken<Result>({ name }: RepositoryDraft, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'repositories_name_uidx')) throw error;
    throw conflict(`There is a repository "${name}" already: change that one`, 'name');
  }
}

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

type RepositoryRow = {
  id: number;
  organization_id: number;
  name: string;
  provider: RepositoryProvider;
  url: string | null;
  link_template: string | null;
  created_at: Date;
};

const toRepository = (row: RepositoryRow): Repository => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  provider: row.provider,
  url: row.url,
  linkTemplate: row.link_template,
  createdAt: row.created_at.getTime(),
});
