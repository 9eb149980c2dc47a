import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { type EventGroup, groupEvents } from '#product/explore/event-groups.ts';
import { inEnvironments } from '#product/search/read-issue-search.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import { getReleaseHealth, type ReleaseHealthRow } from './get-release-health.ts';
import { type Adoption, readAdoption } from './read-adoption.ts';
import type { Release, ReleaseFacts } from './release.ts';
import { unlessTooMuch } from './unless-too-much.ts';

/** Days that the events and sessions of a release are looked for, when no range is asked for. */
export const RELEASE_DATA_DAYS = 90;

/** What happened in a range, of the chosen projects and environments. */
export type ReleaseScope = {
  projects: readonly Project[];
  environments: readonly string[];
  range: Range;
};

/** How the sessions of a release went that began in the range. */
export type Health = {
  sessions: number;
  users: number;
  /** Share without a crash, 0 to 1; null when there are none, or no session names a user. */
  crashFreeSessions: number | null;
  crashFreeUsers: number | null;
  /** Share of the sessions that had errors but neither crashed nor ended abnormally. */
  errored: number;
  /** Share of the sessions of its projects in the range, 0 to 1. */
  share: number;
};

export type ReleaseRow = Pick<Release, 'version' | 'status' | 'releasedAt' | 'firstSeen'> &
  Pick<ReleaseFacts, 'commitCount' | 'deployCount' | 'lastDeploy'> & {
    projectSlugs: readonly string[];
    /** Issues that were first seen in it, at any time. */
    newIssues: number;
    /** Of the range; null when nothing happened in it. */
    events: Pick<EventGroup, 'events' | 'users' | 'firstSeen' | 'lastSeen'> | null;
    /** null when no session of it began in the range. */
    health: Health | null;
    /** Of the last 24 hours, whatever the range. */
    adoption: Adoption;
  };

/** Completes releases with what they are shown with, in the same order. */
export async function toReleaseRows(
  ctx: Context,
  scope: ReleaseScope,
  releases: readonly Release[],
): Promise<readonly ReleaseRow[]> {
  if (releases.length === 0) return [];
  const versions = releases.map((release) => release.version);
  const projectIds = scope.projects.map((project) => project.id);
  const [facts, events, health, sessions, adoption] = await Promise.all([
    ctx.stores.releases.describe(
      ctx.organization.id,
      projectIds,
      releases.map((release) => release.id),
    ),
    releaseEvents(ctx, scope, versions),
    listHealth(ctx, scope, versions),
    ctx.stores.telemetry.countProjectSessions(eventScope(ctx, projectIds), scope),
    unlessTooMuch(readAdoption(ctx, { projectIds, environments: scope.environments }, releases), null),
  ]);
  const slugs = new Map(scope.projects.map((project) => [project.id, project.slug]));
  return releases.map((release) => ({
    version: release.version,
    status: release.status,
    releasedAt: release.releasedAt,
    firstSeen: release.firstSeen,
    projectSlugs: release.projects.flatMap(({ projectId }) => slugs.get(projectId) ?? []).sort(),
    newIssues: sum([...(facts.get(release.id)?.newIssues.values() ?? [])], (issues) => issues),
    commitCount: facts.get(release.id)?.commitCount ?? 0,
    deployCount: facts.get(release.id)?.deployCount ?? 0,
    lastDeploy: facts.get(release.id)?.lastDeploy ?? null,
    events: events.get(release.version) ?? null,
    health: sumHealth(health, sessions, release.version),
    adoption: adoption?.get(release.version) ?? NOT_ADOPTED,
  }));
}

const NOT_ADOPTED: Adoption = {
  ...{ sessions: 0, users: 0, sessionShare: null, userShare: null },
  ...{ stage: null, adoptedAt: null, replacedAt: null },
};

/** By version; versions without an event in the range are left out. */
export async function releaseEvents(
  ctx: Context,
  scope: ReleaseScope,
  versions: readonly string[],
): Promise<ReadonlyMap<string, EventGroup>> {
  const groups = await groupEvents(
    ctx,
    eventScope(
      ctx,
      scope.projects.map((project) => project.id),
    ),
    {
      range: scope.range,
      expression: { kind: 'and', parts: [ofReleases(versions), ...environmentParts(scope.environments)] },
    },
    { kind: 'column', name: 'release' },
    versions.length,
  );
  return new Map(groups.map((group) => [group.value, group]));
}

export const ofReleases = (versions: readonly string[]): EventExpression => ({
  kind: 'text',
  field: { kind: 'column', name: 'release' },
  matches: versions.map((text) => ({ kind: 'exact', text })),
  isNegated: false,
});

export const environmentParts = (environments: readonly string[]): readonly EventExpression[] =>
  environments.length > 0 ? [inEnvironments(environments)] : [];

/** Of these versions, or of those with the most sessions. */
export const listHealth = (
  ctx: Context,
  { projects, range, environments }: ReleaseScope,
  releases?: readonly string[],
) =>
  getReleaseHealth(ctx, {
    projectSlugs: projects.map((project) => project.slug),
    range,
    environments,
    ...(releases && { releases }),
  });

/** Of several projects together; a user of two of them counts in both. `projectSessions` are those of all releases. */
export function sumHealth(
  rows: readonly ReleaseHealthRow[],
  projectSessions: ReadonlyMap<number, number>,
  version: string,
): Health | null {
  const own = rows.filter((row) => row.release === version);
  const sessions = sum(own, (row) => row.sessions);
  if (sessions === 0) return null;
  const projects = [...new Set(own.map((row) => row.projectId))];
  const users = sum(own, (row) => row.users);
  return {
    sessions,
    users,
    crashFreeSessions: 1 - sum(own, (row) => row.crashed) / sessions,
    crashFreeUsers: users === 0 ? null : 1 - sum(own, (row) => row.crashedUsers) / users,
    errored: sum(own, (row) => row.errored) / sessions,
    // What arrives between the two questions may be in one of them only.
    share:
      sessions /
      Math.max(
        sessions,
        sum(projects, (id) => projectSessions.get(id) ?? 0),
      ),
  };
}

const sum = <Row>(rows: readonly Row[], read: (row: Row) => number): number =>
  rows.reduce((total, row) => total + read(row), 0);
