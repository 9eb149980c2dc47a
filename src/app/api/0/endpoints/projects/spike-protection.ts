import { z } from 'zod';
import { del, type Operation, post } from '#app/api/0/operation.ts';
import { selectProject } from '#app/api/0/path-scope.ts';
import { type Context, inTransaction } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getSpikeProtection, updateSpikeProtection } from '#product/quotas/spike-protection.ts';
import { listProjects } from '#product/visible-projects.ts';

const PROJECTS_MAX = 1_000;

/** How callers name every project. */
const ALL = '$all';
const PROJECTS = z.object({ projects: z.array(z.string().max(200)).min(1).max(PROJECTS_MAX) });

export const spikeProtectionOperations: readonly Operation[] = [
  /** Switches it on. Source: https://docs.sentry.io/api/projects/enable-spike-protection/ */
  post('organizations/[org]/spike-protections', {
    summary: 'Turns on spike protection for projects',
    scopes: ['project:write'],
    body: PROJECTS,
    answer: z.object({}),
    status: 201,
    handle: ({ ctx, body }) => switchSpikeProtection(ctx, body.projects, true),
  }),

  /** Switches it off. Source: https://docs.sentry.io/api/projects/disable-spike-protection/ */
  del('organizations/[org]/spike-protections', {
    summary: 'Turns off spike protection for projects',
    scopes: ['project:write'],
    body: PROJECTS,
    answer: z.object({}),
    handle: ({ ctx, body }) => switchSpikeProtection(ctx, body.projects, false),
  }),
];

async function switchSpikeProtection(ctx: Context, names: readonly string[], isEnabled: boolean) {
  requireRight(ctx, 'project:write');
  const projects = names.includes(ALL)
    ? await listProjects(ctx)
    : await Promise.all(names.map((name) => selectProject(ctx, name)));
  await inTransaction(ctx, async (ctx) => {
    for (const { slug } of projects) {
      const spike = await getSpikeProtection(ctx, slug);
      await updateSpikeProtection(ctx, { projectSlug: slug, spike: { ...spike, isEnabled } });
    }
  });
  return {};
}
