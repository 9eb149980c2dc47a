import { z } from 'zod';
import { NAMED } from './parts.ts';

export const REPOSITORY = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string().nullable(),
    provider: NAMED,
    status: z.string(),
    dateCreated: z.string(),
    integrationId: z.null(),
    externalSlug: z.null(),
    externalId: z.null(),
    host: z.enum(['other', 'unknown', 'github', 'gitlab', 'bitbucket', 'gitea']),
    linkTemplate: z.string().nullable(),
  })
  .meta({ id: 'Repository' });
