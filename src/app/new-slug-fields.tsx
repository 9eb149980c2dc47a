'use client';

import { type ComponentProps, useState } from 'react';
import { suggestSlug } from '#lib/slug.ts';
import { TextField } from '#ui/field.tsx';

type FieldProps = { id: string } & Pick<
  ComponentProps<typeof TextField>,
  'label' | 'hint' | 'error' | 'placeholder' | 'maxLength' | 'autoComplete' | 'required'
>;

/** The name of something new, and its slug, which follows the name until somebody types one. Ids name the fields. */
export function NewSlugFields({ name, slug }: { name: FieldProps; slug: FieldProps }) {
  const [typedName, setTypedName] = useState('');
  const [typedSlug, setTypedSlug] = useState<string | null>(null);
  return (
    <>
      <TextField
        autoComplete="off"
        {...name}
        name={name.id}
        value={typedName}
        onChange={(event) => setTypedName(event.target.value)}
      />
      <TextField
        maxLength={50}
        autoComplete="off"
        {...slug}
        name={slug.id}
        value={typedSlug ?? suggestSlug(typedName)}
        onChange={(event) => setTypedSlug(event.target.value === '' ? null : event.target.value)}
        spellCheck={false}
        className="[&_input]:mono"
        required
      />
    </>
  );
}
