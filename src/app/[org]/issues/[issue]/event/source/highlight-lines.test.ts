import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { highlightLines, type Token } from './highlight-lines.ts';
import { languageOf } from './languages.ts';

const script = languageOf('cart.ts', 'javascript');
const python = languageOf('shop/cart.py', 'python');
if (!script || !python) throw new Error('both languages are known');

const inked = (tokens: readonly Token[] | undefined) =>
  (tokens ?? []).filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind} ${text}`);

describe('source lines', () => {
  test('tell keywords, texts, calls, types, numbers and comments apart', () => {
    const [line] = highlightLines(["  const total = sum(cart, 'a \\' b', 12.5) as Money; // why"], script);
    expect(inked(line)).toEqual([
      'keyword const',
      'call sum',
      "text 'a \\' b'",
      'number 12.5',
      'keyword as',
      'type Money',
      'comment // why',
    ]);
  });

  test('go on with a comment or a text that an earlier line opened', () => {
    const [, inside, after] = highlightLines(['x = """one', 'def not code', 'two""" if y'], python);
    expect(inked(inside)).toEqual(['text def not code']);
    expect(inked(after)).toEqual(['text two"""', 'keyword if']);
    const [, comment] = highlightLines(['/* a', 'if (b) */ return'], script);
    expect(inked(comment)).toEqual(['comment if (b) */', 'keyword return']);
  });

  test('end a text of one line with the line', () => {
    const [, second] = highlightLines(["it's open", 'return 1'], script);
    expect(inked(second)).toEqual(['keyword return', 'number 1']);
  });

  test('are never changed, whatever they hold', () => {
    const line = fc.string({ unit: fc.constantFrom(...'aB1 "\'`\\/*#(){}\u202e\u0000é😀'), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        for (const language of [script, python]) {
          const joined = highlightLines(lines, language).map((tokens) =>
            tokens.map(({ text }) => text).join(''),
          );
          expect(joined).toEqual(lines);
        }
      }),
    );
  });

  test('take time by their length only', () => {
    withinMs(1_000, () => {
      for (const unit of ['"', "'", '\\', '/*', '`${', 'a', '(', '#', '"""', '0.', '$']) {
        highlightLines(Array(20).fill(unit.repeat(1000)), script);
        highlightLines(Array(20).fill(unit.repeat(1000)), python);
      }
    });
  });
});

describe('the language', () => {
  test('is told by the file, else by the platform', () => {
    expect(languageOf('https://shop.example.com/app.py?v=1', 'javascript')).toBe(python);
    expect(languageOf('app:///main', 'node')).toBe(script);
    expect(languageOf('', 'cobol')).toBeNull();
  });
});
