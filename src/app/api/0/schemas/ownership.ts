import { z } from 'zod';

export const OWNERSHIP = z
  .object({
    raw: z.string(),
    autoAssignment: z.string(),
    isActive: z.boolean(),
    fallthrough: z.boolean(),
    codeownersAutoSync: z.boolean(),
    lastUpdated: z.string().nullable(),
  })
  .meta({ id: 'Ownership' });

export const CODEOWNERS = z
  .object({
    raw: z.string(),
    stackRoot: z.string(),
    sourceRoot: z.string(),
    dateUpdated: z.string().nullable(),
  })
  .meta({ id: 'Codeowners' });

const OWNER = z.object({
  type: z.enum(['user', 'team']),
  id: z.string(),
  name: z.string(),
  /** Of a user. */
  email: z.string().optional(),
});

export const EVENT_OWNERS = z
  .object({
    owners: z.array(OWNER),
    rule: z.array(z.string()).nullable(),
    rules: z.array(
      z.object({
        owner: OWNER,
        source: z.enum(['codeowners', 'rules']),
        line: z.number(),
        text: z.string(),
        value: z.string(),
      }),
    ),
    isComplete: z.boolean(),
  })
  .meta({ id: 'EventOwners' });
