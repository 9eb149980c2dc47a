'use client';

import { useState } from 'react';
import { FormDialog } from '#app/shell/form-dialog.tsx';
import { type TimeRange, timeBounds } from '#app/url-state.ts';
import { TextField } from '#ui/field.tsx';
import { localDateTime, parseLocalDateTime } from '#ui/format-time.ts';
import { useTimeZone } from '#ui/relative-time.tsx';

/** Asks for two moments; open from the moment it is rendered. */
export function CustomRangeDialog({
  time,
  onClose,
  onChoose,
}: {
  time: TimeRange;
  onClose: () => void;
  onChoose: (time: TimeRange) => void;
}) {
  const timeZone = useTimeZone();
  const [nowMs] = useState(() => Date.now());
  const bounds = timeBounds(time, nowMs);
  const [from, setFrom] = useState(() => localDateTime(bounds.fromMs));
  const [to, setTo] = useState(() => localDateTime(bounds.toMs));
  const [isReversed, setIsReversed] = useState(false);

  function submit() {
    const fromMs = parseLocalDateTime(from);
    const toMs = parseLocalDateTime(to);
    if (fromMs === null || toMs === null || fromMs >= toMs) {
      setIsReversed(true);
      return;
    }
    onClose();
    onChoose({ kind: 'between', fromMs, toMs });
  }

  return (
    <FormDialog
      title="Custom range"
      description={`Time zone: ${timeZone.replaceAll('_', ' ')}`}
      submitLabel="Apply"
      className="grid gap-4 sm:grid-cols-2"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="From"
        type="datetime-local"
        required
        max={localDateTime(nowMs)}
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <TextField
        label="To"
        type="datetime-local"
        required
        value={to}
        error={isReversed ? 'The end must be after the start' : undefined}
        onChange={(event) => {
          setTo(event.target.value);
          setIsReversed(false);
        }}
      />
    </FormDialog>
  );
}
