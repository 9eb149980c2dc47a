import type { WordsByReason } from './reason-labels.ts';

/** Words for limits that were reached. */
export const RATE_LIMITED_LABELS: WordsByReason = {
  key_quota: {
    label: 'Key rate limit',
    meaning: 'The client key reached its rate limit.',
    advice: 'Increase the limit in the project’s client keys, or find out what sends so much data.',
  },
  project_quota: {
    label: 'Project rate limit',
    meaning: 'The project reached its limit for this data category.',
    advice: 'Increase the limit in the project’s rate limits, or find out what sends so much data.',
  },
  blob_budget: {
    label: 'Attachment storage full',
    meaning:
      'The disk budget, or its share for attachments, recordings, profiles, and dumps, was nearly exhausted. Events were still accepted.',
    advice: 'The instance owner can see on the storage page which project uses the most space.',
  },
  org_quota: {
    label: 'Organization quota',
    meaning: 'The organization reached its quota for this data category.',
    advice: 'A manager can increase it in the organization’s quotas.',
  },
};
