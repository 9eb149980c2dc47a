import { z } from 'zod';

export const SAVED_SEARCH = z
  .object({
    id: z.string(),
    type: z.number(),
    name: z.string(),
    query: z.string(),
    sort: z.enum(['date', 'new', 'freq']),
    visibility: z.string(),
    dateCreated: z.string(),
    isGlobal: z.boolean(),
    isPinned: z.boolean(),
  })
  .meta({ id: 'SavedSearch' });
