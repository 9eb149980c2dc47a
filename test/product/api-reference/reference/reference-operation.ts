import type { z } from 'zod';

/** What the public reference says of an operation. */
export type ReferenceOperation = {
  /** Those that tell that it was done. */
  statuses: readonly number[];
  /** Keys that an answer has and their types; null where the reference tells none. */
  answer: z.ZodType | null;
};
