import { z } from 'zod';

export const META = z
  .object({
    entries: z.record(z.string(), z.object({ data: z.record(z.string(), z.unknown()) })),
    message: z.record(z.string(), z.unknown()).nullable(),
    user: z.record(z.string(), z.unknown()).nullable(),
    contexts: z.record(z.string(), z.unknown()).nullable(),
    context: z.record(z.string(), z.unknown()).nullable(),
    packages: z.record(z.string(), z.unknown()).nullable(),
    sdk: z.record(z.string(), z.unknown()).nullable(),
    tags: z.record(z.string(), z.object({ value: z.record(z.string(), z.unknown()) })),
  })
  .meta({ id: 'Meta' });
