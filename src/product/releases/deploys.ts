import { z } from 'zod';
import { conflict, invalid } from '#lib/errors.ts';
import { checkWebAddress } from '#lib/web-address.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireReleaseRead, requireReleaseWrite } from '#product/permissions.ts';
import { ENVIRONMENT_EXPECTED, isEnvironmentName } from '#protocol/release-version.ts';
import type { Deploy } from './deploy-store.ts';
import { findVisibleRelease, type NamedRelease } from './get-release.ts';

const NAME_CHARACTERS_MAX = 64;

const PLACE = z.object({ finishedAt: z.number().int(), id: z.number().int().nonnegative() });

/** Where a release went, the last one first. Throws NotFound and Invalid. */
export async function listDeploys(
  ctx: Context,
  input: NamedRelease & { limit: number; cursor: string | null },
): Promise<{ deploys: readonly Deploy[]; nextCursor: string | null }> {
  requireReleaseRead(ctx);
  checkLimit(input.limit);
  const { release } = await findVisibleRelease(ctx, input);
  const { deploys, next } = await ctx.stores.deploys.list(ctx.organization.id, release.id, {
    limit: input.limit,
    after: decodeCursor(input.cursor, PLACE),
  });
  return { deploys, nextCursor: next && encodeCursor(next) };
}

export type DeployInput = {
  environment: string;
  name: string | null;
  url: string | null;
  /** Milliseconds since the epoch; null when unknown. */
  startedAt: number | null;
  /** null for now. */
  finishedAt: number | null;
};

/** Says that a release went to an environment of its projects, or of those of them that are named. */
export async function createDeploy(
  ctx: Context,
  input: NamedRelease & { deploy: DeployInput },
): Promise<Deploy> {
  requireReleaseWrite(ctx);
  const deploy = checkDeploy(input.deploy, ctx.now());
  const { release, projects } = await findVisibleRelease(ctx, input);
  const lacking = input.projectSlugs.find((slug) => !projects.some((project) => project.slug === slug));
  if (lacking !== undefined) {
    throw invalid(`Project ${lacking} does not have this release: remove the project`, 'projects');
  }
  const created = await ctx.stores.deploys.create(
    ctx.organization.id,
    { ...deploy, releaseId: release.id },
    projects.map(({ id }) => id),
    ctx.now(),
  );
  if (!created) throw conflict('The release was deleted in the meantime: create it again');
  return created;
}

function checkDeploy(input: DeployInput, nowMs: number): Omit<Deploy, 'id' | 'releaseId'> {
  const environment = input.environment.trim();
  if (environment === '' || !isEnvironmentName(environment)) {
    throw invalid(`Invalid environment name: use ${ENVIRONMENT_EXPECTED}`, 'environment');
  }
  const name = input.name?.trim() || null;
  if (name !== null && name.length > NAME_CHARACTERS_MAX) {
    throw invalid(`"name" can have at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  const url = input.url?.trim() ? checkWebAddress(input.url, 'url') : null;
  return { environment, name, url, startedAt: input.startedAt, finishedAt: input.finishedAt ?? nowMs };
}
