import { z } from 'zod';
import type { TelemetryCursor } from '#storage/ports/telemetry.ts';

/** A place in a list of telemetry, newest first: the last row of the page before. */
export const TELEMETRY_PLACE: z.ZodType<TelemetryCursor> = z.object({
  at: z.number().int().nonnegative(),
  id: z.string().max(128),
});
