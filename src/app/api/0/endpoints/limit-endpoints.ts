import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { ORGANIZATION_LIMITS, PROJECT_LIMITS } from '#app/api/0/schemas/limits.ts';
import {
  getOrganizationLimits,
  getProjectLimits,
  type Limit,
  type LimitUse,
  updateOrganizationLimits,
  updateProjectLimits,
} from '#product/quotas/limits.ts';
import { getSpikeProtection, updateSpikeProtection } from '#product/quotas/spike-protection.ts';
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

const GET_QUOTAS = {
  summary: 'Answers the limits of the organization',
  scopes: ['org:read'],
  answer: ORGANIZATION_LIMITS,
} satisfies Operation;

/** Not in the reference, whose quotas belong to its plans. */
export const getQuotasEndpoint = declare<OrganizationParams>(GET_QUOTAS, async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  return { body: { limits: (await getOrganizationLimits(ctx)).map(serializeLimit) } };
});

const UPDATE_QUOTAS = {
  summary: 'Replaces the limits of the organization',
  scopes: ['org:write'],
  body: ORGANIZATION_UPDATE,
  answer: ORGANIZATION_LIMITS,
} satisfies Operation;

/** Replaces all limits of the organization. */
export const updateQuotasEndpoint = declare<OrganizationParams>(
  UPDATE_QUOTAS,
  async ({ request, caller, params }) => {
    const ctx = contextOf(caller, params.org);
    const { limits } = await readJsonBody(request, ORGANIZATION_UPDATE);
    return {
      body: { limits: (await updateOrganizationLimits(ctx, limits.map(toLimit))).map(serializeLimit) },
    };
  },
);

const GET_RATE_LIMITS = {
  summary: 'Answers the limits and the spike protection of a project',
  scopes: ['project:read'],
  answer: PROJECT_LIMITS,
} satisfies Operation;

/** The limits of a project and its spike protection. Not in the reference. */
export const getRateLimitsEndpoint = declare<ProjectParams>(GET_RATE_LIMITS, async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  const [limits, spikeProtection] = await Promise.all([
    getProjectLimits(ctx, project.slug),
    getSpikeProtection(ctx, project.slug),
  ]);
  return { body: { limits: limits.map(serializeLimit), spikeProtection } };
});

const UPDATE_RATE_LIMITS = {
  summary: 'Changes the limits and the spike protection of a project',
  scopes: ['project:write'],
  body: PROJECT_UPDATE,
  answer: PROJECT_LIMITS,
} satisfies Operation;

/** Replaces what the body names. */
export const updateRateLimitsEndpoint = declare<ProjectParams>(UPDATE_RATE_LIMITS, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const { limits, spikeProtection } = await readJsonBody(call.request, PROJECT_UPDATE);
  if (limits) await updateProjectLimits(ctx, { projectSlug: project.slug, limits: limits.map(toLimit) });
  if (spikeProtection) {
    await updateSpikeProtection(ctx, { projectSlug: project.slug, spike: spikeProtection });
  }
  return getRateLimitsEndpoint(call);
});

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
