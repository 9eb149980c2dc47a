import { expect, test } from 'vitest';
import { historyLabel } from './history-label.ts';

const PREVIEW = {
  eventsSeen: 60,
  issuesSeen: 48,
  issuesInPeriod: 48,
  issuesAfter: 46,
  issuesChanged: 3,
  eventsChanged: 1_204,
  mergeCount: 1,
  merges: [],
  splitCount: 0,
  splits: [],
  titleCount: 2,
  titles: [],
  tookMs: 1,
};

test('says how many issues and events change, and how', () => {
  expect(historyLabel(PREVIEW)).toBe(
    '3 issues with 1,204 events change (1 merge, 2 new titles): 48 issues → 46.',
  );
});

test('says when not all could be checked', () => {
  expect(historyLabel({ ...PREVIEW, issuesInPeriod: 50 })).toContain('Checked 48 of 50 issues');
});

test('says when nothing changes, and when there is nothing to check', () => {
  expect(historyLabel({ ...PREVIEW, issuesChanged: 0 })).toBe('None of 48 issues changes.');
  expect(historyLabel({ ...PREVIEW, issuesSeen: 0, issuesInPeriod: 0 })).toContain('no stored events');
});
