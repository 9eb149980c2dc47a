import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#ui/cx.ts';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';

export type FieldError = {
  /** A sentence; null: nothing is wrong. */
  error: string | null;
  /** The field that is wrong; null: none by itself. */
  field: string | null;
};

/** What a form says after it was submitted. */
export type FormState = FieldError & {
  /** A sentence about what was done; null before. */
  done: string | null;
};

export const UNTOUCHED: FormState = { error: null, field: null, done: null };

/** What is wrong with one field of a form; null when nothing is. */
export const errorOf = (state: FieldError, field: string): string | null =>
  state.field === field ? state.error : null;

/** A form of the account: its fields, what is wrong with the form as a whole, and the button. */
export function AccountForm({
  state,
  action,
  submitLabel,
  done,
  className,
  children,
  ...button
}: {
  state: FormState;
  action: (form: FormData) => void;
  submitLabel: string;
  /** What the form did, where the page does not show it. */
  done?: ReactNode;
} & Omit<ComponentProps<typeof SubmitButton>, 'pendingLabel'> & { pendingLabel?: string }) {
  return (
    <form action={action} className={cx('flex flex-col items-start gap-4', className)}>
      {children}
      {state.error && state.field === null ? <Notice tone="danger">{state.error}</Notice> : null}
      {done ? (
        <div className="w-full">
          <Notice tone="success">{done}</Notice>
        </div>
      ) : null}
      <SubmitButton pendingLabel="One moment…" variant="secondary" {...button}>
        {submitLabel}
      </SubmitButton>
    </form>
  );
}

/** Asked for before every change of how the account is signed in to. An account without a password is not asked. */
export function CurrentPassword({ id, isAsked, state }: { id: string; isAsked: boolean; state: FieldError }) {
  return isAsked ? (
    <TextField
      id={id}
      name="currentPassword"
      type="password"
      label="Current password"
      error={errorOf(state, 'currentPassword')}
      autoComplete="current-password"
      className="w-full max-w-96"
      required
    />
  ) : null;
}
