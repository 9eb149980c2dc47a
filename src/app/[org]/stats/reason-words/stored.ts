import type { WordsByReason } from './reason-words.ts';

export const ACCEPTED_WORDS: WordsByReason = {
  '': { label: 'Stored', meaning: 'Everything went well.', advice: 'Nothing to do.' },
};

/** Words for why something was dropped that had been accepted. */
export const EXPIRED_WORDS: WordsByReason = {
  age: {
    label: 'Older than its days',
    meaning: 'Accepted once, and dropped because its days were over.',
    advice: 'The days to keep are decided on the storage page, by the owner of the instance.',
  },
  disk_budget: {
    label: 'Dropped for the disk budget',
    meaning: 'Accepted once, and dropped because the data directory had reached its budget.',
    advice: 'Raise `ERRATA_DISK_BYTES_MAX`, keep fewer days, or send less.',
  },
};
