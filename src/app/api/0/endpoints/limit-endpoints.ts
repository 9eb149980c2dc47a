import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import type { Limit } from '#product/quotas/check-limits.ts';
import type { LimitUse } from '#product/quotas/describe-limits.ts';
import { getOrganizationLimits } from '#product/quotas/get-organization-limits.ts';
import { getProjectLimits } from '#product/quotas/get-project-limits.ts';
import { getSpikeProtection } from '#product/quotas/get-spike-protection.ts';
import { updateOrganizationLimits } from '#product/quotas/update-organization-limits.ts';
import { updateProjectLimits } from '#product/quotas/update-project-limits.ts';
import { updateSpikeProtection } from '#product/quotas/update-spike-protection.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

const LIMITS_MAX = 50;

/** What a limit may be, the verb decides, and says. */
const LIMITS = z.array(z.object({ kind: z.string(), limit: z.number(), window: z.number() })).max(LIMITS_MAX);

const ORGANIZATION_UPDATE = z.strictObject({ limits: LIMITS });

const PROJECT_UPDATE = z.strictObject({
  limits: LIMITS.optional(),
  spikeProtection: z.object({ isEnabled: z.boolean(), bodiesPerHour: z.number() }).optional(),
});

/** Not in the reference, whose quotas belong to its plans. */
export const getQuotasEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  return { body: { limits: (await getOrganizationLimits(ctx)).map(serializeLimit) } };
};

/** Replaces all limits of the organization. */
export const updateQuotasEndpoint: ApiEndpoint<OrganizationParams> = async ({ request, caller, params }) => {
  const ctx = contextOf(caller, params.org);
  const { limits } = await readJsonBody(request, ORGANIZATION_UPDATE);
  return { body: { limits: (await updateOrganizationLimits(ctx, limits.map(toLimit))).map(serializeLimit) } };
};

/** The limits of a project and its spike protection. Not in the reference. */
export const getRateLimitsEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const [limits, spikeProtection] = await Promise.all([
    getProjectLimits(ctx, project.slug),
    getSpikeProtection(ctx, project.slug),
  ]);
  return { body: { limits: limits.map(serializeLimit), spikeProtection } };
};

/** Replaces what the body names. */
export const updateRateLimitsEndpoint: ApiEndpoint<ProjectParams> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const { limits, spikeProtection } = await readJsonBody(call.request, PROJECT_UPDATE);
  if (limits) await updateProjectLimits(ctx, { projectSlug: project.slug, limits: limits.map(toLimit) });
  if (spikeProtection) {
    await updateSpikeProtection(ctx, { projectSlug: project.slug, spike: spikeProtection });
  }
  return getRateLimitsEndpoint(call);
};

const toLimit = ({ kind, limit, window }: z.infer<typeof LIMITS>[number]): Limit => ({
  kind: kind as Limit['kind'],
  limit,
  windowSeconds: window,
});

const serializeLimit = ({ kind, limit, windowSeconds, used, windowEndsAt }: LimitUse) => ({
  kind,
  limit,
  window: windowSeconds,
  used,
  windowEnds: new Date(windowEndsAt).toISOString(),
});
