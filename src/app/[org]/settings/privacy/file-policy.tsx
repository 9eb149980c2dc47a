'use client';

import { type BodyPolicy, strictest } from '#protocol/ingest-settings.ts';
import { Badge } from '#ui/badge.tsx';
import { Field } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';

const LABELS: Readonly<Record<BodyPolicy, string>> = {
  keep: 'Store as sent',
  scrub: 'Scrub',
  discard: "Don't store",
};

/** What becomes of one kind of file. `inherited`: what the organization demands at least; null on its own page. */
export function FilePolicy({
  id,
  label,
  hint,
  value,
  inherited,
  onChange,
}: {
  id: string;
  label: string;
  hint: string;
  value: BodyPolicy;
  inherited: BodyPolicy | null;
  onChange: (policy: BodyPolicy) => void;
}) {
  const isStricter = inherited !== null && strictest(inherited, value) !== value;
  return (
    <div className="min-w-0">
      <Field id={id} label={label} hint={hint}>
        <Select
          id={id}
          look="field"
          options={(['scrub', 'discard', 'keep'] as const).map((policy) => ({
            value: policy,
            // An organization that stores as sent leaves the choice to its projects.
            label: inherited === null && policy === 'keep' ? 'Each project decides' : LABELS[policy],
          }))}
          value={value}
          onValueChange={onChange}
        />
      </Field>
      {isStricter ? (
        <p className="mt-1.5">
          <Badge tone="info">{`${LABELS[inherited]}: required by the organization`}</Badge>
        </p>
      ) : null}
    </div>
  );
}
