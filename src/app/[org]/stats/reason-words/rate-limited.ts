import type { WordsByReason } from './reason-words.ts';

/** Words for limits that were reached. */
export const RATE_LIMITED_WORDS: WordsByReason = {
  key_quota: {
    label: 'Rate limit of the key',
    meaning: 'The client key had let in as many as its rate limit allows.',
    advice: "Raise the limit in the project's client keys, or look for what sends so much.",
  },
  project_quota: {
    label: 'Limit of the project',
    meaning: "The project's keys had together let in as much of this kind as its limit allows.",
    advice: "Raise the limit in the project's rate limits, or look for what sends so much.",
  },
  org_quota: {
    label: 'Quota of the organization',
    meaning: 'All projects had together sent as much of this kind as the organization allows.',
    advice: "A manager can raise it in the organization's quotas.",
  },
};
