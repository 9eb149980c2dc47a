import { expect, test } from 'vitest';
import { JOBS } from './jobs.ts';

test('every job, and when it runs', () => {
  expect(Object.fromEntries(JOBS.map(({ name, schedule }) => [name, schedule]))).toEqual({
    'note-adoptions': '7 * * * *',
    'purge-deleted-rows': '53 * * * *',
    'expire-data-requests': '47 * * * *',
    'age-new-issues': '*/10 * * * *',
    'settle-issues': '*/10 * * * *',
    'return-archived-issues': '* * * * *',
    'check-alert-metrics': '* * * * *',
    'forget-alert-firings': '29 * * * *',
    'delete-issue-events': '* * * * *',
    'delete-project-data': '* * * * *',
    'forget-grouping-changes': '17 * * * *',
    'forget-deliveries': '37 * * * *',
    'forget-audit-entries': '23 * * * *',
    'weekly-report': '5 * * * 1,2',
    'refresh-tracker-links': '*/10 * * * *',
    'expire-uploads': '41 * * * *',
    'enforce-retention': '* * * * *',
  });
  // The queue knows them by their names.
  expect(new Set(JOBS.map(({ name }) => name)).size).toBe(JOBS.length);
});
