import { z } from 'zod';

export const ORGANIZATION_TOKEN = z
  .object({
    token: z.string().optional(),
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    tokenLastCharacters: z.string(),
    dateCreated: z.string(),
    dateLastUsed: z.string().nullable(),
    expiresAt: z.string().nullable(),
    projectLastUsedId: z.null(),
  })
  .meta({ id: 'OrganizationToken' });
