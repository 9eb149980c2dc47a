import type { Project, ProjectSummary } from '#domain/projects.ts';
import { HOUR_MS } from '#lib/time.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { alignRange, checkRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import { formatDsn } from '#protocol/dsn.ts';

export type SummarizedProject = Project & {
  summary: ProjectSummary;
  /** Where its program sends to; null while no key is active. */
  dsn: string | null;
  /** Slugs of the teams that have it. */
  teams: readonly string[];
  /** Whether one of them is a team of whoever asks. */
  isOwn: boolean;
};

/** Every visible project, by slug and internal ones last, with what it sent in the range; `range` is widened to whole buckets. */
export async function listProjectSummaries(
  ctx: Context,
  input: { range: Range },
): Promise<{ projects: readonly SummarizedProject[]; range: Range; bucketMs: number }> {
  requireRight(ctx, 'project:read');
  checkRange(input.range);
  const bucketMs = Math.max(HOUR_MS, Math.ceil(chooseBucketMs(input.range) / HOUR_MS) * HOUR_MS);
  const range = alignRange(input.range, bucketMs);
  const projects = await listVisibleProjects(ctx);
  const [summaries, teams] = await Promise.all([
    ctx.stores.projectSummaries.summarize(
      ctx.organization.id,
      projects.map((project) => project.id),
      range,
      bucketMs,
    ),
    ctx.stores.teams.list(ctx.organization.id),
  ]);
  const userId = userIdOf(ctx);
  const byId = new Map(summaries.map((summary) => [summary.projectId, summary]));
  return {
    projects: projects.flatMap((project) => {
      const summary = byId.get(project.id);
      if (!summary) return [];
      const having = teams.filter((team) => team.projectIds.includes(project.id));
      return {
        ...project,
        summary,
        dsn: summary.publicKey && formatDsn(ctx.publicUrl, summary.publicKey, project.id),
        teams: having.map((team) => team.slug),
        isOwn: userId !== null && having.some((team) => team.memberIds.includes(userId)),
      };
    }),
    range,
    bucketMs,
  };
}

/** Environments of the projects (all visible ones for none), newest first. Throws NotFound. */
export async function listEnvironments(
  ctx: Context,
  projectSlugs: readonly string[],
): Promise<readonly string[]> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, projectSlugs);
  return ctx.stores.projects.listEnvironments(
    ctx.organization.id,
    projects.map((project) => project.id),
  );
}
