import { z } from 'zod';

const LIMIT = z
  .object({
    kind: z.string(),
    limit: z.number(),
    /** Seconds. */
    window: z.number(),
    /** null when it is not known. */
    used: z.number().nullable(),
    windowEnds: z.string(),
  })
  .meta({ id: 'Limit' });

export const ORGANIZATION_LIMITS = z.object({ limits: z.array(LIMIT) }).meta({ id: 'OrganizationLimits' });

export const PROJECT_LIMITS = ORGANIZATION_LIMITS.extend({
  spikeProtection: z.object({ isEnabled: z.boolean(), bodiesPerHour: z.number() }),
}).meta({ id: 'ProjectLimits' });
