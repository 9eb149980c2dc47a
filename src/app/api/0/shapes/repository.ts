import { z } from 'zod';
import { always, each, idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import type { Repository } from '#product/repositories/repository.ts';

/**
 * Source of the fields: https://docs.sentry.io/api/organizations/list-an-organizations-repositories/
 * `provider` is the integration that fetches commits there; with an unknown one, sentry-cli sends the commits themselves.
 */
export const [REPOSITORY, serializeRepository] = shapeOf<Repository>()(
  {
    id: idOf('id'),
    name: z.string(),
    url: z.string().nullable(),
    provider: always(NAMED, { id: 'unknown', name: 'Unknown Provider' }),
    status: always(z.string(), 'active'),
    dateCreated: isoMs('createdAt'),
    ...each(NULL, 'integrationId', 'externalSlug', 'externalId'),
    // Not fields of the reference: how files are linked.
    host: [z.enum(['other', 'unknown', 'github', 'gitlab', 'bitbucket', 'gitea']), 'provider'],
    linkTemplate: z.string().nullable(),
  },
  'Repository',
);
