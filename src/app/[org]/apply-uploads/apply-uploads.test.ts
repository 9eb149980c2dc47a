import { expect, it } from 'vitest';
import { progressPercent, resultLabel } from './apply-uploads.tsx';

const DONE = {
  state: 'done',
  eventsChanged: 1_204,
  eventsTotal: 1_300,
  issuesBefore: 3,
  issuesAfter: 2,
} as const;

it('says what changed', () => {
  expect(resultLabel(DONE)).toBe('1,204 events of 3 issues now show source; these 3 became 2 issues.');
  expect(resultLabel({ ...DONE, issuesAfter: 3 })).toBe('1,204 events of 3 issues now show source.');
  expect(resultLabel({ ...DONE, eventsChanged: 1, issuesBefore: 1, issuesAfter: 1 })).toBe(
    '1 event of 1 issue now shows source.',
  );
  expect(resultLabel({ ...DONE, issuesBefore: 1 })).toContain('1 issue now show source; it became 2 issues.');
});

it('says when nothing did', () => {
  expect(resultLabel({ ...DONE, eventsChanged: 0 })).toContain('None of 1,300 events');
  expect(resultLabel({ ...DONE, eventsChanged: 0, eventsTotal: 0 })).toContain('All stored events');
  expect(resultLabel({ ...DONE, state: 'cancelled' })).toContain('No issues were changed');
});

it('never claims to be done before it is', () => {
  expect(progressPercent({ eventsSeen: 0, eventsTotal: 0 })).toBeNull();
  expect(progressPercent({ eventsSeen: 999, eventsTotal: 1_000 })).toBe(99);
  // Events come while it runs.
  expect(progressPercent({ eventsSeen: 1_010, eventsTotal: 1_000 })).toBe(100);
});
