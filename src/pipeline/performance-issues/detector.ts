import type { PerformanceIssueType } from '#protocol/performance-issue.ts';
import type { AttributeValue, DigestedSpan } from '#protocol/telemetry.ts';
import type { PreparedTransaction } from './prepare-transaction.ts';

/** Something wrong with some spans of a transaction. */
export type Problem = {
  type: PerformanceIssueType;
  /** What else tells it from others of its type: problems that share it are one issue. */
  fingerprint: readonly string[];
  /** The query or address that it is about, with what varies in it replaced. */
  description: string;
  /** In the order of their start. Never empty. */
  offenders: readonly DigestedSpan[];
  /** What came before and led to them; null for nothing in particular. */
  cause: DigestedSpan | null;
  /** As in an occurrence. */
  savableUs: number | null;
  bytes: number | null;
  fcpMs: number | null;
};

/** Looks for one type of problem. Pure, never throws, and in about proportion to the number of spans. */
export type Detector = (prepared: PreparedTransaction) => readonly Problem[];

/** Problems that are not about size or paint. */
export const NO_MEASURES = { savableUs: null, bytes: null, fcpMs: null } as const;

type Timed = { start: number; end: number };

export const sumUs = (spans: readonly Timed[]): number =>
  spans.reduce((sum, { start, end }) => sum + (end - start), 0);

export const longestUs = (spans: readonly Timed[]): number =>
  spans.reduce((longest, { start, end }) => Math.max(longest, end - start), 0);

/** Spans by their parent, in the order that they have. */
export function bySibling<T extends { span: DigestedSpan }>(spans: readonly T[]): readonly (readonly T[])[] {
  const groups = new Map<string | null, T[]>();
  for (const each of spans) {
    const siblings = groups.get(each.span.parentSpanId);
    if (siblings) siblings.push(each);
    else groups.set(each.span.parentSpanId, [each]);
  }
  return [...groups.values()];
}

/** Cuts a list wherever `continues` says that an element does not go on from the one before. */
export function splitRuns<T>(
  items: readonly T[],
  continues: (previous: T, next: T) => boolean,
): readonly (readonly T[])[] {
  const runs: T[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    if (run && previous !== undefined && continues(previous, item)) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** The first of the attributes that is a size; SDKs send numbers, and texts of digits. null for none. */
export function bytesOf({ attributes }: DigestedSpan, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value: AttributeValue | undefined = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    const bytes = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof bytes === 'number' && bytes >= 0) return bytes;
  }
  return null;
}
