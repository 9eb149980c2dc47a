import { z } from 'zod';
import { type ApiCaller, contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { inTransaction } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getSpikeProtection, updateSpikeProtection } from '#product/quotas/spike-protection.ts';
import { listProjects } from '#product/visible-projects.ts';
import { selectProject } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

const PROJECTS_MAX = 1_000;
/** How callers name every project. */
const ALL = '$all';

const PROJECTS = z.object({ projects: z.array(z.string().max(200)).min(1).max(PROJECTS_MAX) });

const ENABLE_SPIKE_PROTECTION = {
  summary: 'Switches spike protection of projects on',
  scopes: ['project:write'],
  body: PROJECTS,
  answer: z.object({}),
  status: 201,
} satisfies Operation;

/** Switches it on. Source: https://docs.sentry.io/api/projects/enable-spike-protection/ */
export const enableSpikeProtectionEndpoint = declare<OrganizationParams>(
  ENABLE_SPIKE_PROTECTION,
  async (call) => {
    await switchSpikeProtection(call.caller, call.params, call.request, true);
    return { body: {}, status: 201 };
  },
);

const DISABLE_SPIKE_PROTECTION = {
  summary: 'Switches spike protection of projects off',
  scopes: ['project:write'],
  body: PROJECTS,
  answer: z.object({}),
} satisfies Operation;

/** Switches it off. Source: https://docs.sentry.io/api/projects/disable-spike-protection/ */
export const disableSpikeProtectionEndpoint = declare<OrganizationParams>(
  DISABLE_SPIKE_PROTECTION,
  async (call) => {
    await switchSpikeProtection(call.caller, call.params, call.request, false);
    return { body: {}, status: 200 };
  },
);

async function switchSpikeProtection(
  caller: ApiCaller,
  params: OrganizationParams,
  request: Request,
  isEnabled: boolean,
): Promise<void> {
  const ctx = contextOf(caller, params.org);
  requireRight(ctx, 'project:write');
  const { projects: names } = await readJsonBody(request, PROJECTS);
  const projects = names.includes(ALL)
    ? await listProjects(ctx)
    : await Promise.all(names.map((name) => selectProject(ctx, name)));
  await inTransaction(ctx, async (ctx) => {
    for (const { slug } of projects) {
      const spike = await getSpikeProtection(ctx, slug);
      await updateSpikeProtection(ctx, { projectSlug: slug, spike: { ...spike, isEnabled } });
    }
  });
}
