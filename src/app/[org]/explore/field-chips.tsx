'use client';

import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Input } from '#ui/field.tsx';

/** Names that a table is made of, each with a button that takes it out, and a field that adds one. */
export function FieldChips({
  label,
  one,
  names,
  known,
  placeholder,
  min,
  onChange,
  describedBy,
}: {
  /** What they are, in the plural. */
  label: string;
  /** What one is called: `column`. */
  one: string;
  names: readonly string[];
  /** Id of a list of names that are known; any other may be written too. */
  known: string;
  placeholder: string;
  /** So many cannot be taken out. */
  min: 0 | 1;
  onChange: (names: readonly string[]) => void;
  describedBy: string | undefined;
}) {
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {names.length > 0 ? (
        <ul aria-label={label} className="flex flex-wrap items-center gap-1.5">
          {names.map((name) => (
            <li
              key={name}
              className="flex h-7 items-center gap-1 rounded-md border bg-surface-raised pr-0.5 pl-2 text-xs"
            >
              <bdi className="mono max-w-48 truncate">{name}</bdi>
              <button
                type="button"
                aria-label={`Remove ${one} ${name}`}
                disabled={names.length <= min}
                onClick={() => onChange(names.filter((each) => each !== name))}
                className="grid size-6 place-items-center rounded-sm text-text-muted hover:bg-surface-hover hover:text-text disabled:opacity-40"
              >
                <X aria-hidden className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <FieldForm
        key={names.join('\n')}
        label={`Add ${one}`}
        placeholder={placeholder}
        known={known}
        onSubmit={(name) => {
          if (name && !names.includes(name)) onChange([...names, name]);
        }}
        describedBy={describedBy}
      />
    </div>
  );
}

/** One name; what is typed counts once it is sent. */
function FieldForm({
  label,
  placeholder,
  known,
  onSubmit,
  describedBy,
}: {
  label: string;
  placeholder: string;
  known: string;
  onSubmit: (name: string) => void;
  describedBy: string | undefined;
}) {
  const id = useId();
  const [text, setText] = useState('');
  return (
    <form action={() => onSubmit(text.trim())} className="flex items-center gap-1.5">
      <label htmlFor={id} className="shrink-0 text-sm text-text-muted">
        {label}
      </label>
      <Input
        isCompact
        id={id}
        list={known}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={200}
        placeholder={placeholder}
        aria-describedby={describedBy}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="mono w-44 text-xs"
      />
      {text.trim() !== '' ? (
        <Button type="submit" size="sm">
          <Plus aria-label="Add" className="size-3.5" />
        </Button>
      ) : null}
    </form>
  );
}
