import { z } from 'zod';

/** Somebody with an account. */
export const USER = z
  .object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    email: z.string(),
    isActive: z.boolean(),
    isSuperuser: z.boolean(),
  })
  .meta({ id: 'User' });
