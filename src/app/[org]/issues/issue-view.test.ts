import { describe, expect, it } from 'vitest';
import { issueTitle } from './issue-view.ts';

describe('issueTitle', () => {
  it('parts an exception into its type and its message, on one line', () => {
    expect(
      issueTitle({ title: 'TypeError: x', metadata: { type: 'TypeError', value: 'x is\n  undefined' } }),
    ).toEqual({ heading: 'TypeError', message: 'x is undefined' });
  });

  it('takes the whole title of a message', () => {
    expect(issueTitle({ title: 'Disk is full', metadata: { title: 'Disk is full' } })).toEqual({
      heading: 'Disk is full',
      message: '',
    });
  });

  it('always has a heading to click', () => {
    expect(issueTitle({ title: ' \n ', metadata: {} }).heading).toBe('(no title)');
  });

  it('is bounded, however long the title is', () => {
    const { heading, message } = issueTitle({
      title: '',
      metadata: { type: 'T'.repeat(5_000), value: 'v'.repeat(100_000) },
    });
    expect(heading.length + message.length).toBeLessThan(1_000);
  });
});
