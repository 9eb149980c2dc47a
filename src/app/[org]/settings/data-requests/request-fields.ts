import { fields } from '#app/forms/fields.ts';
import type { DataCounts, DataRequest } from '#product/data-requests/data-request.ts';
import type { Tone } from '#ui/badge.tsx';

/** One identifier on each line. */
export const REQUEST_FIELDS = fields({
  email: {
    kind: 'lines',
    label: 'Email addresses',
    help: 'One on each line. Upper and lower case are the same.',
    isOptional: true,
    max: 4_000,
  },
  id: {
    kind: 'lines',
    label: 'User IDs',
    help: 'As your SDKs send them. One on each line.',
    isOptional: true,
    max: 4_000,
  },
  username: { kind: 'lines', label: 'Usernames', help: 'One on each line.', isOptional: true, max: 4_000 },
  ip: {
    kind: 'lines',
    label: 'IP addresses',
    help: 'Only if the person was the only one behind it: an address can belong to an office.',
    isOptional: true,
    max: 4_000,
  },
});

export const STATE_LABELS: Readonly<Record<DataRequest['state'], { label: string; tone: Tone }>> = {
  counting: { label: 'Searching', tone: 'info' },
  counted: { label: 'Ready', tone: 'accent' },
  exporting: { label: 'Exporting', tone: 'info' },
  erasing: { label: 'Hiding', tone: 'warning' },
  purging: { label: 'Hidden, removing from disk', tone: 'warning' },
  erased: { label: 'Erased', tone: 'success' },
  canceled: { label: 'Canceled', tone: 'neutral' },
};

export const KIND_LABELS: Readonly<Record<keyof DataCounts, string>> = {
  events: 'Events',
  transactions: 'Transactions',
  spans: 'Spans',
  logs: 'Logs',
  metrics: 'Metrics',
  sessions: 'Session updates',
  feedback: 'Feedback',
  attachments: 'Attachments',
  replays: 'Replays',
  replaySegments: 'Replay recordings',
  profiles: 'Profiles',
  stagedEvents: 'Reprocessed events',
  searchValues: 'Search suggestions',
  files: 'Files',
  checkIns: 'Check-ins',
  uptimeChecks: 'Uptime checks',
  emptyIssues: 'Issues without other events',
  issues: 'Issue titles',
  comments: 'Comments and activity',
  links: 'Links to trackers',
  notifications: 'Notifications',
  auditLog: 'Audit log entries',
  savedSearches: 'Saved searches',
  dashboards: 'Dashboards',
  alertRules: 'Alert rules',
  groupingChanges: 'Grouping changes',
  quarantine: 'Quarantined records',
};

/** What a request is about, without naming a person. */
export function subjectLabel({ subject, subjectName, identifierHashes }: DataRequest): string {
  if (subject === 'project') return `Project ${subjectName}`;
  if (subject === 'organization') return `Organization ${subjectName}`;
  const count = identifierHashes.length;
  return `A person, by ${count} ${count === 1 ? 'identifier' : 'identifiers'}`;
}

/** What happens now, for a request that is being erased. */
export const STEP_LABELS: Readonly<Record<DataRequest['step'], string>> = {
  '': '',
  note: 'Looking for what arrived since it was counted',
  hide: 'Hiding it from all pages and answers',
  files: 'Deleting attachments, recordings and profiles',
  texts: 'Blanking comments and titles, and clearing the quarantine',
  settle: 'Waiting until everything that was accepted before is stored',
  note_again: 'Looking for what was stored meanwhile',
  hide_again: 'Hiding what was stored meanwhile',
  files_again: 'Deleting files that were stored meanwhile',
  texts_again: 'Blanking texts that were stored meanwhile',
  purge: 'Rewriting the files that hold it. Large amounts wait for the night (0:00 to 5:00 UTC)',
  spool: 'Waiting until the receiver has given up its old files',
  clear: 'Waiting until replaced files are deleted',
  check: 'Checking that nothing is left',
};
