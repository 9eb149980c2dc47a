'use client';

import { Archive } from 'lucide-react';
import { useId, useState } from 'react';
import { FormDialog } from '#app/shell/form-dialog.tsx';
import type { ArchiveCondition } from '#domain/issues/issue.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { Field, TextField } from '#ui/field.tsx';
import { localDateTime } from '#ui/format-time.ts';
import { MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import { ARCHIVE_UNTIL_ESCALATING } from '../triage.ts';
import { SplitButton, type TriageButtonProps } from './split-button.tsx';

const TIMES = [
  { label: 'For 1 hour', ms: HOUR_MS },
  { label: 'For 1 day', ms: 24 * HOUR_MS },
  { label: 'For 1 week', ms: 7 * 24 * HOUR_MS },
];

/** Archives until the issue escalates, or by the menu until something else. */
export function ArchiveButton({ onAct, ...button }: TriageButtonProps) {
  const [asked, setAsked] = useState<ConditionKind | null>(null);
  const archive = (condition: ArchiveCondition) => onAct({ verb: 'archive', condition });
  return (
    <>
      <SplitButton
        icon={<Archive aria-hidden className="size-3.5" />}
        label="Archive"
        title="Archive until it escalates (a)"
        menuLabel="More archive options"
        {...button}
        onSelect={() => onAct(ARCHIVE_UNTIL_ESCALATING)}
      >
        <MenuItem onSelect={() => onAct(ARCHIVE_UNTIL_ESCALATING)}>Until it escalates</MenuItem>
        <MenuItem onSelect={() => archive({ kind: 'forever' })}>Forever</MenuItem>
        <MenuSeparator />
        {TIMES.map(({ label, ms }) => (
          <MenuItem key={label} onSelect={() => archive({ kind: 'date', untilMs: Date.now() + ms })}>
            {label}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setAsked('date')}>Until a date…</MenuItem>
        <MenuItem onSelect={() => setAsked('events')}>Until more events…</MenuItem>
        <MenuItem onSelect={() => setAsked('users')}>Until more users…</MenuItem>
      </SplitButton>
      {asked ? <ArchiveUntilDialog kind={asked} onClose={() => setAsked(null)} onArchive={archive} /> : null}
    </>
  );
}

type ConditionKind = 'date' | 'events' | 'users';

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
  { value: ANY_TIME, label: 'Any time' },
  { value: '5', label: '5 minutes' },
  { value: '60', label: '1 hour' },
  { value: '1440', label: '1 day' },
  { value: '10080', label: '1 week' },
] as const;

/** Asks until when an issue is archived; open from the moment it is rendered. */
function ArchiveUntilDialog({
  kind: kindAtFirst,
  onClose,
  onArchive,
}: {
  kind: ConditionKind;
  onClose: () => void;
  onArchive: (condition: ArchiveCondition) => void;
}) {
  const windowId = useId();
  const [kind, setKind] = useState(kindAtFirst);
  const [nowMs] = useState(() => Date.now());
  const [until, setUntil] = useState(() => localDateTime(nowMs + DAY_MS));
  const [count, setCount] = useState('100');
  const [minutes, setMinutes] = useState<string>(ANY_TIME);

  function submit() {
    onClose();
    if (kind === 'date') onArchive({ kind, untilMs: new Date(until).getTime() });
    else
      onArchive({ kind, count: Number(count), windowMinutes: minutes === ANY_TIME ? null : Number(minutes) });
  }

  return (
    <FormDialog
      title="Archive until"
      description="Archived issues are hidden from the default list. Their events are still counted."
      submitLabel="Archive"
      onSubmit={submit}
      onClose={onClose}
    >
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
          <Field id={windowId} label="Time window">
            <Select id={windowId} look="field" options={WINDOWS} value={minutes} onValueChange={setMinutes} />
          </Field>
        </div>
      )}
    </FormDialog>
  );
}
