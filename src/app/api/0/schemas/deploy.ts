import { z } from 'zod';

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
