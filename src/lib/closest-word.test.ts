import { describe, expect, it } from 'vitest';
import { closestWord } from './closest-word.ts';

const STATES = ['unresolved', 'resolved', 'archived', 'new', 'assigned', 'unassigned'];

describe('closestWord', () => {
  it.each([
    ['unresloved', 'unresolved'],
    ['resolvd', 'resolved'],
    ['Archieved', 'archived'],
    ['nwe', 'new'],
  ])('takes %s for %s', (written, meant) => {
    expect(closestWord(written, STATES)).toBe(meant);
  });

  it('prefers the one with fewer slips', () => {
    expect(closestWord('asigned', STATES)).toBe('assigned');
  });

  it.each(['', 'x', 'open', 'something'])('takes "%s" for nothing', (written) => {
    expect(closestWord(written, STATES)).toBeNull();
  });

  it('does not compare what is no word', () => {
    expect(closestWord('a'.repeat(65), ['a'.repeat(64)])).toBeNull();
    expect(closestWord('a'.repeat(64), ['a'.repeat(63)])).not.toBeNull();
  });
});
