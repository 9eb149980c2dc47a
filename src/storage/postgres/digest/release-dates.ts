import { sql, type Transaction } from 'kysely';
import type { ReleaseOrder } from '#domain/issues/regression.ts';
import { compareReleaseNames, compareReleases } from '#protocol/release-version.ts';
import type { Database } from '#storage/sql/schema.ts';

export type ReleasePair = { organizationId: number; release: string; other: string };

/**
 * The order of releases of an organization, made ready for the given pairs. Dates are only looked up where the names do
 * not tell; a release that is not stored yet is seen now for the first time.
 */
export async function orderReleases(
  transaction: Transaction<Database>,
  pairs: readonly ReleasePair[],
  nowMs: number,
): Promise<(organizationId: number) => ReleaseOrder> {
  const wanted = new Map<string, { organization_id: number; version: string }>();
  for (const { organizationId, release, other } of pairs) {
    if (compareReleaseNames(release, other) !== null) continue;
    for (const version of [release, other]) {
      wanted.set(`${organizationId}:${version}`, { organization_id: organizationId, version });
    }
  }
  const dates =
    wanted.size === 0 ? new Map<string, number>() : await findDates(transaction, [...wanted.values()]);
  return (organizationId) => {
    const dated = (version: string) => ({
      version,
      dateMs: dates.get(`${organizationId}:${version}`) ?? nowMs,
    });
    return (release, other) => compareReleases(dated(release), dated(other));
  };
}

async function findDates(
  transaction: Transaction<Database>,
  wanted: readonly { organization_id: number; version: string }[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ organization_id: number; version: string; at: Date }>`
    SELECT releases.organization_id, releases.version, coalesce(released_at, first_seen) AS at
    FROM unnest(${wanted.map((row) => row.organization_id)}::bigint[], ${wanted.map((row) => row.version)}::text[])
      AS wanted (organization_id, version)
    JOIN releases ON releases.organization_id = wanted.organization_id AND releases.version = wanted.version
    `.execute(transaction);
  return new Map(rows.map((row) => [`${row.organization_id}:${row.version}`, row.at.getTime()]));
}
