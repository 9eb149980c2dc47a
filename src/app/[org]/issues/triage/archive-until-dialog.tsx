'use client';

import { type FormEvent, useId, useState } from 'react';
import type { ArchiveCondition } from '#domain/issues/issue.ts';
import { DAY_MS } from '#lib/time.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field, TextField } from '#ui/field.tsx';
import { localDateTime } from '#ui/local-date-time.ts';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';

export type ConditionKind = 'date' | 'events' | 'users';

const COUNT_MAX = 1_000_000_000;
const DAYS_MAX = 3_650;
const KINDS: readonly { value: ConditionKind; label: string }[] = [
  { value: 'date', label: 'Date' },
  { value: 'events', label: 'Event count' },
  { value: 'users', label: 'User count' },
];
const ANY_TIME = '';
/** Minutes. */
const WINDOWS = [
  { value: ANY_TIME, label: 'at any time' },
  { value: '5', label: 'within 5 minutes' },
  { value: '60', label: 'within an hour' },
  { value: '1440', label: 'within a day' },
  { value: '10080', label: 'within a week' },
] as const;

/** Asks until when an issue is archived; open from the moment it is rendered. */
export function ArchiveUntilDialog({
  kind: kindAtFirst,
  onClose,
  onArchive,
}: {
  kind: ConditionKind;
  onClose: () => void;
  onArchive: (condition: ArchiveCondition) => void;
}) {
  const formId = useId();
  const windowId = useId();
  const [kind, setKind] = useState(kindAtFirst);
  const [nowMs] = useState(() => Date.now());
  const [until, setUntil] = useState(() => localDateTime(nowMs + DAY_MS));
  const [count, setCount] = useState('100');
  const [minutes, setMinutes] = useState<string>(ANY_TIME);

  function submit(event: FormEvent) {
    event.preventDefault();
    onClose();
    if (kind === 'date') onArchive({ kind, untilMs: new Date(until).getTime() });
    else
      onArchive({ kind, count: Number(count), windowMinutes: minutes === ANY_TIME ? null : Number(minutes) });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Archive until…"
      description="Until then, the issue is hidden from the default list. Its events are still counted."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId}>
            Archive
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="space-y-4">
        <div className="w-fit">
          <Segmented label="Until" value={kind} options={KINDS} onValueChange={setKind} />
        </div>
        {kind === 'date' ? (
          <TextField
            label="Date and time"
            hint="In your time zone"
            type="datetime-local"
            required
            min={localDateTime(nowMs)}
            max={localDateTime(nowMs + DAYS_MAX * DAY_MS)}
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        ) : (
          <div className="grid grid-cols-2 gap-4">
            <TextField
              label={kind === 'events' ? 'Event count' : 'User count'}
              type="number"
              required
              min={1}
              max={COUNT_MAX}
              step={1}
              value={count}
              onChange={(event) => setCount(event.target.value)}
            />
            <Field id={windowId} label="Counted">
              <Select
                id={windowId}
                look="field"
                options={WINDOWS}
                value={minutes}
                onValueChange={setMinutes}
              />
            </Field>
          </div>
        )}
      </form>
    </Dialog>
  );
}
