'use client';

import { type ComponentProps, useState } from 'react';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/field.tsx';

/** A password that is being chosen. `charsMin` is the fewest characters it may have. */
export function NewPasswordField({
  charsMin,
  ...field
}: Partial<ComponentProps<typeof TextField>> & { charsMin: number }) {
  return (
    <TextField
      id="password"
      name="password"
      type="password"
      label="New password"
      hint={`At least ${charsMin} characters. Four unrelated words work well.`}
      autoComplete="new-password"
      required
      {...field}
    />
  );
}

/** Whether a change of the password also revokes tokens. */
export function RevokesTokensField({
  label,
  help,
  isDefault,
}: {
  label: string;
  help: string;
  /** Chosen from the start. */
  isDefault: boolean;
}) {
  // React resets a form after its action; the choice has to survive that.
  const [isChosen, setIsChosen] = useState(isDefault);
  return (
    <div className="flex items-start gap-2.5 text-sm">
      <Checkbox
        id="revokes-tokens"
        name="revokesTokens"
        defaultChecked={isChosen}
        onChange={(event) => setIsChosen(event.currentTarget.checked)}
      />
      <label htmlFor="revokes-tokens">
        {label}
        <span className="block text-text-muted text-xs">{help}</span>
      </label>
    </div>
  );
}
