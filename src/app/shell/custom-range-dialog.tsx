'use client';

import { type FormEvent, useId, useState } from 'react';
import { type TimeRange, timeBounds } from '#app/url-state.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
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
  const formId = useId();
  const timeZone = useTimeZone();
  const [nowMs] = useState(() => Date.now());
  const bounds = timeBounds(time, nowMs);
  const [from, setFrom] = useState(() => localDateTime(bounds.fromMs));
  const [to, setTo] = useState(() => localDateTime(bounds.toMs));
  const [isReversed, setIsReversed] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
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
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Custom range"
      description={`Time zone: ${timeZone.replaceAll('_', ' ')}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId}>
            Apply
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
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
      </form>
    </Dialog>
  );
}
