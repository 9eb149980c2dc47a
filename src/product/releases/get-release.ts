import type { Project } from '#domain/projects.ts';
import { forbidden, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { countEvents, type EventGroup, type EventTrend, groupEvents } from '#product/explore/event-groups.ts';
import { requireRight } from '#product/permissions.ts';
import { alignRange, checkRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { Release } from './release.ts';
import {
  environmentParts,
  ofReleases,
  type ReleaseRow,
  type ReleaseScope,
  toReleaseRows,
} from './release-row.ts';

export type ReleaseDetails = ReleaseRow & {
  /** The release before and after it in the same projects, with the same figures; null at either end. */
  older: ReleaseRow | null;
  newer: string | null;
};

/**
 * A release of the projects, every visible one for none, with what happened in the range. Throws NotFound when none of
 * them has seen it.
 */
export async function getRelease(
  ctx: Context,
  input: {
    version: string;
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range;
  },
): Promise<ReleaseDetails> {
  requireRight(ctx, 'project:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const { releases } = ctx.stores;
  const organizationId = ctx.organization.id;
  const asked = projects.map((project) => project.id);
  const release = await releases.findRelease(organizationId, asked, input.version);
  if (!release) {
    throw notFound(
      `Release "${input.version.slice(0, 100)}" not found in any project: check its name and the selected projects`,
    );
  }
  const seenIn = release.projects.map(({ projectId }) => projectId);
  const neighbours = await releases.findNeighbours(organizationId, seenIn, release.id);
  const before =
    neighbours.older === null ? null : await releases.findRelease(organizationId, seenIn, neighbours.older);
  const scope: ReleaseScope = {
    projects: projects.filter((project) => seenIn.includes(project.id)),
    environments: input.environments,
    range: input.range,
  };
  const [own, older = null] = await toReleaseRows(ctx, scope, before ? [release, before] : [release]);
  if (!own) throw new Error(`No row was created for release ${release.id}`);
  return { ...own, older, newer: neighbours.newer };
}

const ENVIRONMENTS_MAX = 20;

export type ReleaseActivity = {
  trend: EventTrend & { range: Range; bucketMs: number };
  /** Most events first, at most 20; the empty one is of events without an environment. */
  environments: readonly EventGroup[];
};

/** Events of a release over the whole buckets of a range, and the environments that they came from. */
export async function getReleaseActivity(
  ctx: Context,
  input: {
    version: string;
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range;
  },
): Promise<ReleaseActivity> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  const bucketMs = chooseBucketMs(input.range);
  const range = alignRange(input.range, bucketMs);
  const ofRelease = ofReleases([input.version]);
  const [trend, environments] = await Promise.all([
    countEvents(
      ctx,
      scope,
      { range, expression: { kind: 'and', parts: [ofRelease, ...environmentParts(input.environments)] } },
      bucketMs,
    ),
    groupEvents(
      ctx,
      scope,
      { range: input.range, expression: ofRelease },
      { kind: 'column', name: 'environment' },
      ENVIRONMENTS_MAX,
    ),
  ]);
  return { trend: { ...trend, range, bucketMs }, environments };
}

export type NamedRelease = {
  version: string;
  /** Empty for all that are visible. */
  projectSlugs: readonly string[];
};

/** The release with those of the projects that have it. Throws NotFound when none of them has. */
export async function findVisibleRelease(
  ctx: Context,
  { version, projectSlugs }: NamedRelease,
): Promise<{ release: Release; projects: readonly Project[] }> {
  const visible = await selectProjects(ctx, projectSlugs);
  const release = await ctx.stores.releases.findRelease(
    ctx.organization.id,
    visible.map(({ id }) => id),
    version,
  );
  if (!release) {
    throw notFound(
      `Release "${version.slice(0, 100)}" not found: create it first, or check its name and the projects`,
    );
  }
  const ids = new Set(release.projects.map(({ projectId }) => projectId));
  return { release, projects: visible.filter(({ id }) => ids.has(id)) };
}

/** All projects of the release. Throws Forbidden when the actor may not know of every one. */
export async function requireWholeRelease(ctx: Context, releaseId: number): Promise<readonly Project[]> {
  const [all, visible] = await Promise.all([
    ctx.stores.releases.listProjectIds(ctx.organization.id, releaseId),
    selectProjects(ctx, []),
  ]);
  const projects = visible.filter(({ id }) => all.includes(id));
  if (projects.length === all.length) return projects;
  throw forbidden(
    'The release also belongs to projects you do not have access to: ask someone with access to all of them to delete it',
  );
}
