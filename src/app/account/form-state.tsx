import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';

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

/** What a form has done; nothing before. */
export function FormDone({ text }: { text: string | null }) {
  return text === null ? null : (
    <div className="w-full">
      <Notice tone="success">{text}</Notice>
    </div>
  );
}

/** Asked before whatever decides how the account opens. An account without a password is not asked. */
export function CurrentPassword({ id, error }: { id: string; error: string | null }) {
  return (
    <TextField
      id={id}
      name="currentPassword"
      type="password"
      label="Current password"
      error={error}
      autoComplete="current-password"
      className="w-full max-w-96"
      required
    />
  );
}
