import { z } from 'zod';

/** Until when an issue is archived; windows are minutes. */
const ARCHIVED = z.object({
  ignoreUntil: z.string().nullable(),
  ignoreCount: z.number().nullable(),
  ignoreWindow: z.number().nullable(),
  ignoreUserCount: z.number().nullable(),
  ignoreUserWindow: z.number().nullable(),
  untilEscalating: z.boolean(),
  actor: z.object({ id: z.string() }).nullable(),
});

/** How an issue was resolved or archived: what does not apply is left out. */
export const STATUS_DETAILS = z
  .object({
    inNextRelease: z.boolean(),
    inRelease: z.string(),
    inCommit: z.object({ repository: z.string(), commit: z.string() }),
    ...ARCHIVED.shape,
  })
  .partial()
  .meta({ id: 'StatusDetails' });
