import { z } from 'zod';

/** Values of a tag with how often and when events carried them; times are ISO 8601. */
export const TAG_VALUES = z.array(
  z.object({
    key: z.string(),
    name: z.string(),
    value: z.string(),
    count: z.number(),
    firstSeen: z.string(),
    lastSeen: z.string(),
  }),
);
