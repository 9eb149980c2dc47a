import { z } from 'zod';
import { NAMED } from './parts.ts';

export const ACTIVITY = z
  .object({
    id: z.string(),
    type: z.string(),
    user: NAMED.nullable(),
    data: z.record(z.string(), z.unknown()),
    dateCreated: z.string(),
  })
  .meta({ id: 'Activity' });
