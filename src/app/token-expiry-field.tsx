'use client';

import { useState } from 'react';
import { Field, TextField } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { CUSTOM_DAYS, isWithoutExpiry, TOKEN_EXPIRY_FIELDS } from './token-days.ts';

/** When a new token expires; `tokenDays` reads it. */
export function TokenExpiryField({
  error,
  daysDefault,
  daysMax,
}: {
  error: string | null;
  daysDefault: number;
  daysMax: number;
}) {
  const [choice, setChoice] = useState<string>(String(daysDefault));
  const [customDays, setCustomDays] = useState('');
  const isCustom = choice === CUSTOM_DAYS;
  return (
    <div className="flex flex-col gap-3">
      <Field
        id="token-days"
        label={TOKEN_EXPIRY_FIELDS.days.label}
        error={isCustom ? null : error}
        hint={
          isWithoutExpiry(choice)
            ? 'Anyone who finds this token can use it until you revoke it. Choose an expiration if you can.'
            : undefined
        }
      >
        <Select<string>
          id="token-days"
          name="days"
          look="field"
          options={TOKEN_EXPIRY_FIELDS.days.options}
          value={choice}
          onValueChange={setChoice}
        />
      </Field>
      {isCustom ? (
        <TextField
          id="token-custom-days"
          name="customDays"
          inputMode="numeric"
          // A number field that has the focus is emptied by the reset after a refusal; a text field keeps its value.
          pattern="[0-9]{1,9}"
          title={`A whole number from 1 to ${daysMax}`}
          label={TOKEN_EXPIRY_FIELDS.customDays.label}
          autoComplete="off"
          value={customDays}
          onChange={(event) => setCustomDays(event.currentTarget.value)}
          error={error}
          required
        />
      ) : null}
    </div>
  );
}
