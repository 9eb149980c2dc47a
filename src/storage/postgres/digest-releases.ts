import { sql, type Transaction } from 'kysely';
import type { DigestedEvent } from '#protocol/event.ts';
import { hashKey } from './digest-issues/issue-delta.ts';
import type { NewRelease } from './digest-issues/next-release.ts';
import { KnownKeys } from './known-keys.ts';
import { releaseParts } from './release-parts.ts';
import type { Database } from './schema.ts';
import { toStorableJson, toStorableText } from './storable-json.ts';

const KNOWN_RELEASES_MAX = 20_000;
const KNOWN_PAIRS_MAX = 100_000;

/** Releases, environments and the pairs with them that are known to be stored. */
export type SeenNames = {
  releaseIds: KnownKeys<number>;
  pairs: KnownKeys<true>;
};

export const createSeenNames = (): SeenNames => ({
  releaseIds: new KnownKeys(KNOWN_RELEASES_MAX),
  pairs: new KnownKeys(KNOWN_PAIRS_MAX),
});

/** Releases that a project may see for the first time with these events; after a start that is every one. */
export function findNewReleases(events: readonly DigestedEvent[], seen: SeenNames): NewRelease[] {
  const found = new Map<string, NewRelease>();
  for (const { projectId, release } of events) {
    if (!release) continue;
    const version = toStorableText(release);
    const key = projectKey(projectId, version);
    if (!seen.pairs.has(key)) addOnce(found, key, { projectId, version });
  }
  return [...found.values()];
}

/**
 * Stores the releases and environments that were not seen before. Answers what to call once the transaction is
 * committed: only then may `seen` believe in the new rows.
 */
export async function writeReleases(
  transaction: Transaction<Database>,
  events: readonly DigestedEvent[],
  issueIds: ReadonlyMap<string, number>,
  seen: SeenNames,
): Promise<() => void> {
  const batch = collectNames(events, issueIds, seen);
  const newIds = await writeVersions(transaction, batch.releases);
  const idOf = (key: string) => batch.knownReleaseIds.get(key) ?? newIds.get(key)!;
  if (batch.projectReleases.size > 0) {
    const rows = sortedValues(batch.projectReleases).map((pair) => ({
      ...pair,
      release_id: idOf(pair.release),
    }));
    await sql`
      INSERT INTO release_projects (release_id, project_id, first_seen)
      SELECT release_id, project_id, first_seen FROM json_to_recordset(${toStorableJson(rows)}::json)
        AS pair (release_id bigint, project_id bigint, first_seen timestamptz)
      ON CONFLICT DO NOTHING`.execute(transaction);
  }
  if (batch.issueReleases.size > 0) {
    const rows = sortedValues(batch.issueReleases).map((pair) => ({
      ...pair,
      release_id: idOf(pair.release),
    }));
    await sql`
      INSERT INTO issue_releases (issue_id, release_id)
      SELECT issue_id, release_id FROM json_to_recordset(${toStorableJson(rows)}::json)
        AS pair (issue_id bigint, release_id bigint)
      ON CONFLICT DO NOTHING`.execute(transaction);
  }
  if (batch.environments.size > 0) {
    await sql`
      INSERT INTO environments (organization_id, project_id, name, first_seen)
      SELECT organization_id, project_id, name, first_seen
      FROM json_to_recordset(${toStorableJson(sortedValues(batch.environments))}::json)
        AS row_of (organization_id bigint, project_id bigint, name text, first_seen timestamptz)
      ON CONFLICT DO NOTHING`.execute(transaction);
  }
  return () => {
    for (const [key, id] of newIds) seen.releaseIds.set(key, id);
    for (const pairs of [batch.projectReleases, batch.issueReleases, batch.environments]) {
      for (const key of pairs.keys()) seen.pairs.set(key, true);
    }
  };
}

type Names = {
  /** Noted here, since others who assign meanwhile may make the memory forget them. */
  knownReleaseIds: Map<string, number>;
  releases: Map<string, { organization_id: number; version: string; first_seen: Date }>;
  projectReleases: Map<string, { release: string; project_id: number; first_seen: Date }>;
  issueReleases: Map<string, { release: string; issue_id: number }>;
  environments: Map<string, { organization_id: number; project_id: number; name: string; first_seen: Date }>;
};

function collectNames(
  events: readonly DigestedEvent[],
  issueIds: ReadonlyMap<string, number>,
  seen: SeenNames,
): Names {
  const names: Names = {
    knownReleaseIds: new Map(),
    releases: new Map(),
    projectReleases: new Map(),
    issueReleases: new Map(),
    environments: new Map(),
  };
  for (const event of events) {
    const { organizationId: organization_id, projectId: project_id } = event;
    const first_seen = new Date(event.occurredAt);
    if (event.release) {
      const version = toStorableText(event.release);
      const release = `${organization_id}:${version}`;
      const knownId = seen.releaseIds.get(release);
      if (knownId === undefined) addOnce(names.releases, release, { organization_id, version, first_seen });
      else names.knownReleaseIds.set(release, knownId);
      const pairKey = projectKey(project_id, version);
      if (!seen.pairs.has(pairKey)) {
        addOnce(names.projectReleases, pairKey, { release, project_id, first_seen });
      }
      const issue_id = issueIds.get(hashKey(project_id, event.groupingHash))!;
      const issueKey = `issue:${issue_id}:${version}`;
      if (!seen.pairs.has(issueKey)) addOnce(names.issueReleases, issueKey, { release, issue_id });
    }
    if (event.environment) {
      const name = toStorableText(event.environment);
      const key = `environment:${project_id}:${name}`;
      if (!seen.pairs.has(key))
        addOnce(names.environments, key, { organization_id, project_id, name, first_seen });
    }
  }
  return names;
}

/** The numbers of the given releases, stored now or by others before. */
async function writeVersions(
  transaction: Transaction<Database>,
  releases: Names['releases'],
): Promise<Map<string, number>> {
  if (releases.size === 0) return new Map();
  const rows = toStorableJson(
    sortedValues(releases).map((release) => ({ ...release, ...releaseParts(release.version) })),
  );
  await sql`
    INSERT INTO releases (organization_id, version, first_seen, package, prerelease, build, version_order, is_parsed)
    SELECT organization_id, version, first_seen, package, prerelease, build, version_order, true
    FROM json_to_recordset(${rows}::json) AS row_of (organization_id bigint, version text, first_seen timestamptz,
      package text, prerelease text, build text, version_order text)
    ON CONFLICT DO NOTHING`.execute(transaction);
  const { rows: stored } = await sql<{ id: number; organization_id: number; version: string }>`
    SELECT releases.id, releases.organization_id, releases.version
    FROM json_to_recordset(${rows}::json) AS wanted (organization_id bigint, version text)
    JOIN releases ON releases.organization_id = wanted.organization_id AND releases.version = wanted.version
    `.execute(transaction);
  return new Map(stored.map((row) => [`${row.organization_id}:${row.version}`, row.id]));
}

const projectKey = (projectId: number, version: string): string => `project:${projectId}:${version}`;

function addOnce<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

/** In one order for everybody, so that two batches with the same names wait for each other instead of deadlocking. */
const sortedValues = <Value>(map: ReadonlyMap<string, Value>): Value[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
