import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fence } from './fence.ts';

describe('a fence', () => {
  it('is longer than any run of backticks inside', () => {
    expect(fence('a', 10)).toBe('```text\na\n```');
    expect(fence('a\n````\n# b', 20)).toBe('`````text\na\n````\n# b\n`````');
  });

  it('is never ended by what stands inside', () => {
    const text = fc.string({ unit: fc.constantFrom('`', '```', '\n', '\r', '~', 'a', ' '), maxLength: 200 });
    fc.assert(
      fc.property(text, (inside) => {
        const lines = fence(inside, 500).split('\n');
        if (lines.length < 3) return;
        const mark = lines[0]?.replace('text', '') ?? '';
        expect(lines.slice(1, -1).filter((line) => line.trim().startsWith(mark))).toEqual([]);
        expect(lines.at(-1)).toBe(mark);
      }),
    );
  });

  it('shows what is unseen: turns of direction, escapes, ends of lines of its own', () => {
    expect(fence('a\u202eb\u001b[31m\u2028c\td', 50)).toContain('a[U+202E]b[U+001B][31m\nc\td');
  });

  it('is bounded and says what is left out', () => {
    const text = fence('`'.repeat(5_000), 1_000);
    expect(text.length).toBeLessThan(100);
    expect(text).toContain('4000 more characters');
    expect(fence(' \n', 10)).toBe('');
  });
});
