import { describe, expect, it } from 'vitest';
import { fencedFacts, fencedRows, moreRows, pageOfText, paragraphs } from './answer.ts';

describe('parts of an answer', () => {
  it('are paragraphs, those that are empty left out', () => {
    expect(paragraphs('a', '', null, false, 'b')).toBe('a\n\nb');
    expect(moreRows(null)).toBe('');
    expect(moreRows('abc')).toContain('`abc`');
  });

  it('have each row on a line that is bounded', () => {
    expect(fencedRows(['a\nb', '```'])).toBe('````text\na b\n```\n````');
    const long = fencedRows(Array.from({ length: 200 }, () => 'x'.repeat(1_000)));
    expect(long.length).toBeLessThan(24_200);
    expect(fencedRows([])).toBe('');
    expect(
      fencedFacts([
        ['a', '1'],
        ['b', null],
      ]),
    ).toBe('```text\na: 1\n```');
  });

  it('come in pages, counted as they are shown', () => {
    const text = `ab\u202e${'c'.repeat(10)}`;
    const first = pageOfText(text, { offset: 0, charactersMax: 10 });
    expect(first).toContain('```text\nab[U+202E]\n```');
    expect(first).toContain('20 characters: call this again with the offset 10');
    expect(pageOfText(text, { offset: 10, charactersMax: 10 })).toBe(`\`\`\`text\n${'c'.repeat(10)}\n\`\`\``);
    expect(pageOfText(text, { offset: 20, charactersMax: 10 })).toMatch(/no text from character 20/);
  });
});
