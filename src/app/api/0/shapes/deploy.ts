import { z } from 'zod';
import { each, idOf, isoMs, isoMsOrNull, shapeOf } from '#app/api/0/shape.ts';
import type { Deploy } from '#product/releases/deploy-store.ts';

/** Source of the fields: https://docs.sentry.io/api/releases/list-a-releases-deploys/ */
export const [DEPLOY, serializeDeploy] = shapeOf<Deploy>()(
  {
    id: idOf('id'),
    environment: z.string(),
    ...each(z.string().nullable(), 'name', 'url'),
    dateStarted: isoMsOrNull('startedAt'),
    dateFinished: isoMs('finishedAt'),
  },
  'Deploy',
);
