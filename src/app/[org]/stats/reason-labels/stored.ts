import type { WordsByReason } from './reason-labels.ts';

export const ACCEPTED_LABELS: WordsByReason = {
  '': { label: 'Stored', meaning: 'The data was processed and stored.', advice: 'No action needed.' },
};

/** Words for why something was dropped that had been accepted. */
export const EXPIRED_LABELS: WordsByReason = {
  age: {
    label: 'Retention period expired',
    meaning: 'Accepted, then deleted when its retention period expired.',
    advice: 'The instance owner can change the retention period on the storage page.',
  },
  blob_budget: {
    label: 'Dropped: attachment budget',
    meaning:
      'Accepted, then deleted because attachments and other files used up their share of the disk budget.',
    advice: 'Increase `ERRATA_DISK_BYTES_MAX`, shorten the retention period, or send fewer attachments.',
  },
  project_budget: {
    label: 'Dropped: project budget',
    meaning: 'Accepted, then deleted because the project reached its disk budget.',
    advice: 'The instance owner can increase the project budget on the storage page.',
  },
  disk_budget: {
    label: 'Dropped: disk budget',
    meaning: 'Accepted, then deleted because the data directory reached the disk budget.',
    advice: 'Increase `ERRATA_DISK_BYTES_MAX`, shorten the retention period, or send less data.',
  },
};
