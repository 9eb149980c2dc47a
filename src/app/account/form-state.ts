/** What a form says after it was sent. */
export type FormState = {
  /** A sentence; null: nothing is wrong. */
  error: string | null;
  /** The field that is wrong; null: none by itself. */
  field: string | null;
  /** A sentence about what was done; null before. */
  done: string | null;
};

export const UNTOUCHED: FormState = { error: null, field: null, done: null };
