import { z } from 'zod';
import type { Deploy } from '#product/releases/deploy-store.ts';

export const DEPLOY = z
  .object({
    id: z.string(),
    environment: z.string(),
    name: z.string().nullable(),
    url: z.string().nullable(),
    dateStarted: z.string().nullable(),
    dateFinished: z.string(),
  })
  .meta({ id: 'Deploy' });

/** Source of the fields: https://docs.sentry.io/api/releases/list-a-releases-deploys/ */
export const serializeDeploy = (deploy: Deploy) => ({
  id: String(deploy.id),
  environment: deploy.environment,
  name: deploy.name,
  url: deploy.url,
  dateStarted: deploy.startedAt === null ? null : new Date(deploy.startedAt).toISOString(),
  dateFinished: new Date(deploy.finishedAt).toISOString(),
});
