import { expect, test } from 'vitest';
import type { TextRange } from '../patterns/linear/linear-pattern.ts';
import { RedactedText, type Redaction } from './redact-text.ts';

const redaction = (placeholder: string): Redaction => ({ rule: '@r', method: 'replace', placeholder });

/** Hides every second letter of what an earlier rule already took every second letter from. */
function redactTwice(pairs: number): { text: RedactedText; cpuMs: number } {
  const text = new RedactedText('ab  '.repeat(pairs));
  const rangesAt = (offset: number) =>
    Array.from({ length: pairs }, (_, index): TextRange => [index * 4 + offset, index * 4 + offset + 1]);
  const before = process.threadCpuUsage();
  text.redact(rangesAt(0), redaction('X'));
  text.redact(rangesAt(1), redaction('Y'));
  return { text, cpuMs: process.threadCpuUsage(before).user / 1_000 };
}

test('what an earlier rule put in stays, before, between and behind what a later one hides', () => {
  expect(redactTwice(3).text.text).toBe('XY  XY  XY  ');
  const text = new RedactedText('one two three four');
  text.redact([[4, 7]], redaction('2'));
  expect(text.search).toBe('one \0 three four');
  text.redact(
    [
      [0, 3],
      [6, 8],
      [8, 11],
      [12, 16],
    ],
    redaction('#'),
  );
  expect(text.text).toBe('# 2 ## #');
  text.redact([[1, 4]], redaction('!'));
  expect(text.text).toBe('#!## #');
  expect(text.remarks.map(([, , start, end]) => [start, end])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [5, 6],
  ]);
});

test('the time is in proportion to the text, however many ranges an earlier rule left in it', () => {
  redactTwice(4_000);
  const ofOne = Math.max(redactTwice(8_000).cpuMs, 10);
  expect(redactTwice(32_000).cpuMs / ofOne).toBeLessThan(10);
});
