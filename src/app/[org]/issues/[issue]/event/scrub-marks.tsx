import { ShieldCheck } from 'lucide-react';
import { describeRemark } from '#product/privacy/describe-remark.ts';
import { Badge } from '#ui/badge.tsx';
import { formatPlural } from '#ui/format-number.ts';

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

function visit(branch: MetaBranch, depth: number, onRemarks: (remarks: readonly RemarkPart[]) => void): void {
  if (depth > DEPTH_MAX) return;
  for (const [name, child] of Object.entries(branch)) {
    if (name !== '') {
      visit(asBranch(child), depth + 1, onRemarks);
      continue;
    }
    const { rem } = asBranch(child);
    const remarks = (Array.isArray(rem) ? rem : []).flatMap((remark): RemarkPart[] =>
      Array.isArray(remark) && typeof remark[0] === 'string' ? [[remark[0], String(remark[1] ?? '')]] : [],
    );
    if (remarks.length > 0) onRemarks(remarks);
  }
}

const NOTHING: MetaBranch = {};

const asBranch = (value: unknown): MetaBranch =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as MetaBranch) : NOTHING;

/** What was done to a value before it was stored; opens to the rule that did it. Nothing for no marks. */
export function ScrubBadges({ marks }: { marks: readonly ScrubMark[] }) {
  if (marks.length === 0) return null;
  return (
    <div className="mt-0.5 flex flex-wrap items-start gap-1 font-sans">
      {marks.map(({ label, rule }) => (
        <details key={label} className="group/mark min-w-0 max-w-full">
          <summary title={rule} className="w-fit max-w-full rounded-sm">
            <Badge tone="info" icon={<ShieldCheck aria-hidden />}>
              {label}
            </Badge>
          </summary>
          <span className="break-anything mt-0.5 block text-text-muted text-xs">{rule}</span>
        </details>
      ))}
    </div>
  );
}

/** How many values of the event were scrubbed; nothing when none was. */
export function ScrubSummary({ meta }: { meta: unknown }) {
  const count = countScrubbed(meta);
  if (count === 0) return null;
  return (
    <p className="mb-4 flex items-start gap-2 text-sm text-text-muted">
      <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
      <span>
        {formatPlural(count, 'value')} {count === 1 ? 'was' : 'were'} scrubbed before this event was stored. A
        badge next to each value says why. The original values are not stored.
      </span>
    </p>
  );
}
