import { type Kysely, type Selectable, sql } from 'kysely';
import { conflict, notFound } from '#lib/errors.ts';
import type { Category } from '#protocol/outcome.ts';
import type { Quota, QuotaScope } from '#protocol/rate-limits.ts';
import { isUniqueViolation } from '#storage/sql/postgres-errors.ts';
import type { Database } from '#storage/sql/schema.ts';

export async function listQuotas(db: Kysely<Database>, organizationId: number): Promise<StoredQuota[]> {
  const rows = await db
    .selectFrom('quotas')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
  return rows.map(toStoredQuota);
}

/** Throws NotFound when the organization has no such project or key, Conflict when two limits count the same. */
export async function replaceQuotas(
  db: Kysely<Database>,
  organizationId: number,
  owner: QuotaOwner,
  quotas: readonly QuotaLimit[],
): Promise<StoredQuota[]> {
  const projectId = owner.scope === 'project' ? owner.projectId : null;
  const keyId = owner.scope === 'key' ? owner.keyId : null;
  try {
    return await db.transaction().execute(async (transaction) => {
      await lockOwner(transaction, organizationId, owner);
      await transaction
        .deleteFrom('quotas')
        .where('organization_id', '=', organizationId)
        .where('project_id', 'is not distinct from', projectId)
        .where('key_id', 'is not distinct from', keyId)
        .execute();
      if (quotas.length === 0) return [];
      const rows = await transaction
        .insertInto('quotas')
        .values(
          quotas.map(({ categories, limit, windowSeconds }) => ({
            organization_id: organizationId,
            project_id: projectId,
            key_id: keyId,
            categories: [...new Set(categories)].sort(),
            item_limit: limit,
            window_seconds: windowSeconds,
          })),
        )
        .returningAll()
        .execute();
      return rows.map(toStoredQuota);
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'quotas_counter_uidx')) throw error;
    throw conflict('Two limits count the same categories in the same window: keep one of them', 'quotas');
  }
}

/** Two people who replace the same limits at once do it one after the other. */
async function lockOwner(db: Kysely<Database>, organizationId: number, owner: QuotaOwner): Promise<void> {
  switch (owner.scope) {
    case 'organization': {
      const row = await db
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', organizationId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!row) throw notFound(`Organization ${organizationId} does not exist`);
      return;
    }
    case 'project': {
      const row = await db
        .selectFrom('projects')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', owner.projectId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!row) throw notFound(`This organization has no project ${owner.projectId}`);
      return;
    }
    case 'key': {
      const row = await db
        .selectFrom('client_keys')
        .innerJoin('projects', 'projects.id', 'client_keys.project_id')
        .select('client_keys.id')
        .where('projects.organization_id', '=', organizationId)
        .where('client_keys.id', '=', owner.keyId)
        .forNoKeyUpdate('client_keys')
        .executeTakeFirst();
      if (!row) throw notFound(`This organization has no client key ${owner.keyId}`);
    }
  }
}

/** Outcomes are kept by the hour: a window that begins within an hour counts from the next full one. */
export async function countAccepted(
  db: Kysely<Database>,
  quotas: readonly { quota: Quota; fromMs: number }[],
): Promise<number[]> {
  if (quotas.length === 0) return [];
  const asked = quotas.map(({ quota, fromMs }, index) => ({
    index,
    scope: quota.scope,
    owner_id: quota.ownerId,
    categories: quota.categories,
    from_at: new Date(fromMs),
  }));
  const { rows } = await sql<{ index: number; quantity: number }>`
    SELECT asked.index, counted.quantity
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS asked (index int, scope text, owner_id bigint,
      categories text[], from_at timestamptz)
    LEFT JOIN client_keys ON asked.scope = 'key' AND client_keys.id = asked.owner_id
    LEFT JOIN projects ON projects.id =
      CASE asked.scope WHEN 'project' THEN asked.owner_id WHEN 'key' THEN client_keys.project_id END
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(quantity), 0)::bigint AS quantity
      FROM outcomes_hourly
      WHERE outcomes_hourly.organization_id =
          CASE asked.scope WHEN 'organization' THEN asked.owner_id ELSE projects.organization_id END
        AND (asked.scope = 'organization' OR outcomes_hourly.project_id = projects.id)
        AND (asked.scope <> 'key' OR outcomes_hourly.key_id = client_keys.id)
        AND outcomes_hourly.hour >= asked.from_at
        AND outcomes_hourly.outcome = 'accepted'
        AND (cardinality(asked.categories) = 0 OR outcomes_hourly.category = ANY(asked.categories))
    ) AS counted`.execute(db);
  const quantities = Array<number>(quotas.length).fill(0);
  for (const { index, quantity } of rows) quantities[index] = quantity;
  return quantities;
}

const REASON_CODES: Readonly<Record<QuotaScope, string>> = {
  organization: 'org_quota',
  project: 'project_quota',
  key: 'key_quota',
};

/** The same owner, window and categories go on counting where they were when the limit is changed. */
export const makeQuota = (scope: QuotaScope, ownerId: number, limit: QuotaLimit): Quota => ({
  id: `${scope}:${ownerId}:${limit.windowSeconds}:${limit.categories.join(',')}`,
  scope,
  ownerId,
  ...limit,
  reasonCode: REASON_CODES[scope],
});

const toStoredQuota = (row: Selectable<Database['quotas']>): StoredQuota => ({
  id: row.id,
  owner: toOwner(row.project_id, row.key_id),
  categories: row.categories as Category[],
  limit: row.item_limit,
  windowSeconds: row.window_seconds,
});

function toOwner(projectId: number | null, keyId: number | null): QuotaOwner {
  if (projectId !== null) return { scope: 'project', projectId };
  if (keyId !== null) return { scope: 'key', keyId };
  return { scope: 'organization' };
}

export type QuotaOwner =
  | { scope: 'organization' }
  | { scope: 'project'; projectId: number }
  | { scope: 'key'; keyId: number };

export type QuotaLimit = Pick<Quota, 'categories' | 'limit' | 'windowSeconds'>;

export type StoredQuota = QuotaLimit & { id: number; owner: QuotaOwner };
