import { TextField } from '#ui/field.tsx';

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
