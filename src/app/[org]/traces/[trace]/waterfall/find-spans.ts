import { durationOf, type ShownSpan } from './span-tree.ts';

const TERM = /^(op|status|project|span):(.+)$/i;
const LONGER = /^>=?(\d+(?:\.\d+)?)(us|µs|ms|s|m)?$/i;
const UNIT_US: Readonly<Record<string, number>> = { us: 1, µs: 1, ms: 1_000, s: 1_000_000, m: 60_000_000 };

/**
 * Spans that have every word of the text, in the order of reading: in their name or operation, or as `op:db`,
 * `status:internal_error`, `project:shop`, `span:<id>`, `is:error`, `>100ms`. Empty for an empty text.
 */
export function findSpans(
  spans: readonly ShownSpan[],
  text: string,
  hasError: (span: ShownSpan) => boolean,
): readonly ShownSpan[] {
  const tests = text.trim().toLowerCase().split(/\s+/).filter(Boolean).map(testOf);
  return tests.length === 0 ? [] : spans.filter((span) => tests.every((test) => test(span)));

  function testOf(word: string): (span: ShownSpan) => boolean {
    if (word === 'is:error') return hasError;
    const [, longer, unit = 'ms'] = LONGER.exec(word) ?? [];
    if (longer !== undefined) {
      const us = Number(longer) * (UNIT_US[unit] ?? 1_000);
      return (span) => durationOf(span) >= us;
    }
    const [, key, value = ''] = TERM.exec(word) ?? [];
    if (key === 'span') return ({ spanId }) => spanId === value;
    if (key === 'op' || key === 'status' || key === 'project')
      return (span) => span[key].toLowerCase().includes(value);
    return ({ op, name }) => op.toLowerCase().includes(word) || name.toLowerCase().includes(word);
  }
}
