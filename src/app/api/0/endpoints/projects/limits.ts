import { z } from 'zod';
import { get, type Operation, put } from '#app/api/0/operation.ts';
import { isoMs, shapeOf } from '#app/api/0/shape.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import {
  getOrganizationLimits,
  getProjectLimits,
  type Limit,
  type LimitUse,
  updateOrganizationLimits,
  updateProjectLimits,
} from '#product/quotas/limits.ts';
import { getSpikeProtection, updateSpikeProtection } from '#product/quotas/spike-protection.ts';

const [LIMIT, serializeLimit] = shapeOf<LimitUse>()(
  {
    kind: z.string(),
    limit: z.number(),
    /** Seconds. */
    window: [z.number(), 'windowSeconds'],
    /** null when it is not known. */
    used: z.number().nullable(),
    windowEnds: isoMs('windowEndsAt'),
  },
  'Limit',
);

export const ORGANIZATION_LIMITS = z.object({ limits: z.array(LIMIT) }).meta({ id: 'OrganizationLimits' });

const SPIKE_PROTECTION = z.object({ isEnabled: z.boolean(), bodiesPerHour: z.number() });

export const PROJECT_LIMITS = ORGANIZATION_LIMITS.extend({
  spikeProtection: SPIKE_PROTECTION,
}).meta({ id: 'ProjectLimits' });

const LIMITS_MAX = 50;

/** What a limit may be, the verb decides, and says. */
const LIMITS = z.array(z.object({ kind: z.string(), limit: z.number(), window: z.number() })).max(LIMITS_MAX);
const ORGANIZATION_UPDATE = z.strictObject({ limits: LIMITS });

const PROJECT_UPDATE = z.strictObject({
  limits: LIMITS.optional(),
  spikeProtection: SPIKE_PROTECTION.optional(),
});

export const limitOperations: readonly Operation[] = [
  /** Not in the reference, whose quotas belong to its plans. */
  get('organizations/[org]/quotas', {
    summary: "Retrieves the organization's limits",
    scopes: ['org:read'],
    answer: ORGANIZATION_LIMITS,
    handle: async ({ ctx }) => ({ limits: (await getOrganizationLimits(ctx)).map(serializeLimit) }),
  }),

  /** Replaces all limits of the organization. */
  put('organizations/[org]/quotas', {
    summary: "Replaces the organization's limits",
    scopes: ['org:write'],
    body: ORGANIZATION_UPDATE,
    answer: ORGANIZATION_LIMITS,
    async handle({ ctx, body }) {
      const { limits } = body;
      return { limits: (await updateOrganizationLimits(ctx, limits.map(toLimit))).map(serializeLimit) };
    },
  }),

  /** The limits of a project and its spike protection. Not in the reference. */
  get('projects/[org]/[project]/rate-limits', {
    summary: "Retrieves a project's limits and spike protection",
    scopes: ['project:read'],
    answer: PROJECT_LIMITS,
    handle: async ({ ctx, project }) => describeLimits(ctx, project),
  }),

  /** Replaces what the body names. */
  put('projects/[org]/[project]/rate-limits', {
    summary: "Updates a project's limits and spike protection",
    scopes: ['project:write'],
    body: PROJECT_UPDATE,
    answer: PROJECT_LIMITS,
    async handle({ ctx, project, body }) {
      const { limits, spikeProtection } = body;
      if (limits) await updateProjectLimits(ctx, { projectSlug: project.slug, limits: limits.map(toLimit) });
      if (spikeProtection) {
        await updateSpikeProtection(ctx, { projectSlug: project.slug, spike: spikeProtection });
      }
      return describeLimits(ctx, project);
    },
  }),
];

async function describeLimits(ctx: Context, { slug }: Project) {
  const [limits, spikeProtection] = await Promise.all([
    getProjectLimits(ctx, slug),
    getSpikeProtection(ctx, slug),
  ]);
  return { limits: limits.map(serializeLimit), spikeProtection };
}

const toLimit = ({ kind, limit, window }: z.infer<typeof LIMITS>[number]): Limit => ({
  kind: kind as Limit['kind'],
  limit,
  windowSeconds: window,
});
