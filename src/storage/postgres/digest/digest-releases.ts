import { sql, type Transaction } from 'kysely';
import type { NewRelease } from '#domain/issues/regression.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { NamedOrigin } from '#storage/ports/digest.ts';
import { releaseParts } from '#storage/sql/release-parts.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';
import { hashKey } from './issue-delta.ts';
import { KnownKeys } from './known-keys.ts';

/** Releases remembered as stored. */
const KNOWN_RELEASES_MAX = 20_000;
/** Pairs of a release or environment with a project or issue that are remembered as stored. */
const KNOWN_PAIRS_MAX = 100_000;

/** What was deleted meanwhile is stored again so much later, when something names it. */
const REMEMBERED_MS = 5 * MINUTE_MS;

/** Releases, environments and the pairs with them that are known to be stored. */
export type SeenNames = {
  releaseIds: KnownKeys<number>;
  pairs: KnownKeys<true>;
  /** Milliseconds since the epoch, of the first of them. */
  since: number;
};

export const createSeenNames = (): SeenNames => ({
  releaseIds: new KnownKeys(KNOWN_RELEASES_MAX),
  pairs: new KnownKeys(KNOWN_PAIRS_MAX),
  since: 0,
});

export function forgetNames(seen: SeenNames, nowMs: number): void {
  seen.releaseIds.clear();
  seen.pairs.clear();
  seen.since = nowMs;
}

/** All at once: to look at a name again costs a row of a statement that the batch needs anyway. */
export function forgetOldNames(seen: SeenNames, nowMs: number): void {
  if (Math.abs(nowMs - seen.since) >= REMEMBERED_MS) forgetNames(seen, nowMs);
}

/** Releases that a project may see for the first time with these; after a start that is every one. */
export function findNewReleases(
  origins: readonly Pick<NamedOrigin, 'projectId' | 'release'>[],
  seen: SeenNames,
): NewRelease[] {
  const found = new Map<string, NewRelease>();
  for (const { projectId, release } of origins) {
    if (!release) continue;
    const version = toStorableText(release);
    const key = projectKey(projectId, version);
    if (!seen.pairs.has(key)) addOnce(found, key, { projectId, version });
  }
  return [...found.values()];
}

/**
 * Stores the releases and environments that were not seen before, of events and of what else names them. Answers what
 * to call once the transaction is committed: only then may `seen` believe in the new rows.
 */
export async function writeReleases(
  transaction: Transaction<Database>,
  events: readonly DigestedEvent[],
  issueIds: ReadonlyMap<string, number>,
  seen: SeenNames,
  named: readonly NamedOrigin[] = [],
): Promise<() => void> {
  const others = await ofLivingProjects(transaction, unseen(named, seen));
  const batch = collectNames(events, others, issueIds, seen);
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
  others: readonly NamedOrigin[],
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
    addNames(names, { ...event, at: event.occurredAt }, seen);
    if (!event.release) continue;
    const version = toStorableText(event.release);
    const issue_id = issueIds.get(hashKey(event.projectId, event.groupingHash))!;
    const issueKey = `issue:${issue_id}:${version}`;
    if (seen.pairs.has(issueKey)) continue;
    addOnce(names.issueReleases, issueKey, { release: releaseKey(event.organizationId, version), issue_id });
  }
  for (const other of others) addNames(names, other, seen);
  return names;
}

function addNames(names: Names, origin: NamedOrigin, seen: SeenNames): void {
  const { organizationId: organization_id, projectId: project_id } = origin;
  const first_seen = new Date(origin.at);
  if (origin.release) {
    const version = toStorableText(origin.release);
    const release = releaseKey(organization_id, version);
    const knownId = seen.releaseIds.get(release);
    if (knownId === undefined) addOnce(names.releases, release, { organization_id, version, first_seen });
    else names.knownReleaseIds.set(release, knownId);
    const pairKey = projectKey(project_id, version);
    if (!seen.pairs.has(pairKey)) {
      addOnce(names.projectReleases, pairKey, { release, project_id, first_seen });
    }
  }
  if (origin.environment) {
    const name = toStorableText(origin.environment);
    const key = environmentKey(project_id, name);
    if (!seen.pairs.has(key))
      addOnce(names.environments, key, { organization_id, project_id, name, first_seen });
  }
}

/** Those with a name that may be new. */
const unseen = (named: readonly NamedOrigin[], seen: SeenNames): readonly NamedOrigin[] =>
  named.filter(
    ({ projectId, release, environment }) =>
      (release && !seen.pairs.has(projectKey(projectId, toStorableText(release)))) ||
      (environment && !seen.pairs.has(environmentKey(projectId, toStorableText(environment)))),
  );

/** A project may have been deleted while its sessions waited. */
async function ofLivingProjects(
  transaction: Transaction<Database>,
  named: readonly NamedOrigin[],
): Promise<readonly NamedOrigin[]> {
  if (named.length === 0) return [];
  const projectIds = [...new Set(named.map(({ projectId }) => projectId))].sort((a, b) => a - b);
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM projects WHERE id = ANY(${projectIds}::bigint[]) ORDER BY id FOR KEY SHARE`.execute(
    transaction,
  );
  const living = new Set(rows.map(({ id }) => id));
  return named.filter(({ projectId }) => living.has(projectId));
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

const releaseKey = (organizationId: number, version: string): string => `${organizationId}:${version}`;

const projectKey = (projectId: number, version: string): string => `project:${projectId}:${version}`;

const environmentKey = (projectId: number, name: string): string => `environment:${projectId}:${name}`;

function addOnce<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

/** In one order for everybody, so that two batches with the same names wait for each other instead of deadlocking. */
const sortedValues = <Value>(map: ReadonlyMap<string, Value>): Value[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
