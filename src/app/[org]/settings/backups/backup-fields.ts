import { fields } from '#app/forms/fields.ts';
import { invalid } from '#lib/errors.ts';

export const SCHEDULE_FIELDS = fields({
  isOn: {
    kind: 'switch',
    label: 'Back up every day',
    help: 'Missed turns are made up for once the server runs again, and failed ones are tried again an hour later.',
  },
  folder: {
    kind: 'text',
    label: 'Folder',
    help: 'The full path of a folder on the server, best on another disk or a mounted network drive, or a bucket as s3://bucket/prefix.',
    placeholder: '/var/backups/errata',
    isOptional: true,
    max: 1_000,
  },
  time: { kind: 'text', label: 'Time', help: 'In UTC, as hours and minutes.', placeholder: '03:00', max: 5 },
  keep: {
    kind: 'number',
    label: 'Backups to keep',
    help: 'Older ones are removed after each backup.',
    max: 5,
  },
});

/** `03:00` as minutes after midnight. Throws Invalid, naming the field. */
export function parseTimeOfDay(text: string): number {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) {
    throw invalid('Enter a time of day from 00:00 to 23:59', 'time');
  }
  return Number(hours) * 60 + Number(minutes);
}

export const formatTimeOfDay = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
