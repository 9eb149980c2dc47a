import { describeRemark } from '#product/privacy/describe-remark.ts';

/** What was done to a value before it was stored. */
export type ScrubMark = {
  /** `filtered: password`. */
  label: string;
  /** Which rule did it, in words. */
  rule: string;
};

/** A branch of an event's `_meta`, which follows the shape of the event; what is no branch is empty. */
export type MetaBranch = Readonly<Record<string, unknown>>;

/** Marks of one value that are shown; a list of secrets needs no more. */
const MARKS_SHOWN_MAX = 4;
const DEPTH_MAX = 64;

/** The branch below some names or places. */
export function metaAt(meta: unknown, ...path: (string | number)[]): MetaBranch {
  let branch = asBranch(meta);
  for (const part of path) branch = Object.hasOwn(branch, part) ? asBranch(branch[part]) : NOTHING;
  return branch;
}

/** What was done to a value and to anything in it, each kind once. */
export function marksOf(meta: unknown): readonly ScrubMark[] {
  const marks = new Map<string, ScrubMark>();
  visit(asBranch(meta), 0, (remarks) => {
    for (const [rule, kind] of remarks) {
      const { done, what, rule: words } = describeRemark(rule, kind);
      const label = `${done}: ${what}`;
      if (!marks.has(label) && marks.size < MARKS_SHOWN_MAX) marks.set(label, { label, rule: words });
    }
  });
  return [...marks.values()];
}

/** How many values of the event were scrubbed; what SDKs shortened does not count. */
export function countScrubbed(meta: unknown): number {
  let count = 0;
  visit(asBranch(meta), 0, (remarks) => {
    if (remarks.some(([rule]) => !rule.startsWith('!'))) count += 1;
  });
  return count;
}

type RemarkPart = readonly [rule: string, kind: string];

function visit(branch: MetaBranch, depth: number, tell: (remarks: readonly RemarkPart[]) => void): void {
  if (depth > DEPTH_MAX) return;
  for (const [name, child] of Object.entries(branch)) {
    if (name !== '') {
      visit(asBranch(child), depth + 1, tell);
      continue;
    }
    const { rem } = asBranch(child);
    const remarks = (Array.isArray(rem) ? rem : []).flatMap((remark): RemarkPart[] =>
      Array.isArray(remark) && typeof remark[0] === 'string' ? [[remark[0], String(remark[1] ?? '')]] : [],
    );
    if (remarks.length > 0) tell(remarks);
  }
}

const NOTHING: MetaBranch = {};

const asBranch = (value: unknown): MetaBranch =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as MetaBranch) : NOTHING;
