/** What can be searched for, each with keys of its own. */
export const SEARCH_SUBJECTS = ['issues', 'events', 'spans', 'logs', 'metrics'] as const;
export type SearchSubject = (typeof SEARCH_SUBJECTS)[number];
