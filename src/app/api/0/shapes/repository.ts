import { z } from 'zod';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import type { Repository } from '#product/repositories/repository.ts';

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

/**
 * Source of the fields: https://docs.sentry.io/api/organizations/list-an-organizations-repositories/
 * `provider` is the integration that fetches commits there; with an unknown one, sentry-cli sends the commits themselves.
 */
export const serializeRepository = (repository: Repository) => ({
  id: String(repository.id),
  name: repository.name,
  url: repository.url,
  provider: { id: 'unknown', name: 'Unknown Provider' },
  status: 'active',
  dateCreated: new Date(repository.createdAt).toISOString(),
  integrationId: null,
  externalSlug: null,
  externalId: null,
  // Not fields of the reference: how files are linked.
  host: repository.provider,
  linkTemplate: repository.linkTemplate,
});
