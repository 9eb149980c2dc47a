import { sql, type Transaction } from 'kysely';
import type { NamedRelease, NewRelease, PendingIssue } from '#domain/issues/regression.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { ReleasePair } from './release-dates.ts';

/** Issues of one batch that learn which release the next one is; the others wait for the one after it. */
const ISSUES_MAX = 10_000;

export async function findPending(
  transaction: Transaction<Database>,
  newReleases: readonly NewRelease[],
): Promise<PendingIssue[]> {
  if (newReleases.length === 0) return [];
  const projectIds = [...new Set(newReleases.map(({ projectId }) => projectId))];
  const { rows } = await sql<{ id: number; organization_id: number; project_id: number; after: string }>`
    SELECT id, organization_id, project_id, resolution ->> 'after' AS after FROM issues
    WHERE project_id = ANY(${projectIds}::bigint[]) AND status = 'resolved'
      AND resolution ->> 'kind' = 'next_release'
    ORDER BY id LIMIT ${ISSUES_MAX}`.execute(transaction);
  return rows.map((row) => ({
    issueId: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    after: row.after,
  }));
}

export const pairsOf = (
  pending: readonly PendingIssue[],
  newReleases: readonly NewRelease[],
): ReleasePair[] =>
  pending.flatMap(({ organizationId, projectId, after }) =>
    newReleases
      .filter((release) => release.projectId === projectId)
      .map(({ version }) => ({ organizationId, release: version, other: after })),
  );

/** Issues that are locked and still wait for a release are now resolved in the one that it is. */
export async function resolveInReleases(
  transaction: Transaction<Database>,
  releases: ReadonlyMap<number, NamedRelease>,
  nowMs: number,
): Promise<void> {
  if (releases.size === 0) return;
  const rows = [...releases].map(([id, { version, said }]) => ({ id, version, said }));
  await sql`
    WITH named AS (
      UPDATE issues SET resolution = jsonb_build_object('kind', 'release', 'release', found.version),
        substatus_at = ${new Date(nowMs)}
      FROM json_to_recordset(${toStorableJson(rows)}::json) AS found (id bigint, version text, said jsonb)
      WHERE issues.id = found.id
      RETURNING issues.id, found.version, found.said
    )
    INSERT INTO activities (issue_id, type, data, at)
    SELECT id, 'set_resolved_in_release', jsonb_build_object('version', version) || said, ${new Date(nowMs)}
    FROM named`.execute(transaction);
}
