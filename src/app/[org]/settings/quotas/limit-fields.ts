import { type FormInput, fieldForEach } from '#app/forms/fields.ts';
import { LIMIT_KINDS, type LimitKind } from '#product/quotas/limit-kinds.ts';
import type { Limit } from '#product/quotas/limits.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';

const KINDS = LIMIT_KINDS.map(({ kind }) => kind);

export const windowField = <Kind extends LimitKind>(kind: Kind) => `${kind}-window` as const;

/** At most so many of a kind in a window. An empty field is no limit. */
export const LIMIT_FIELDS = {
  ...fieldForEach(KINDS, (label) => ({ kind: 'number', label, isOptional: true })),
  ...fieldForEach(KINDS.map(windowField), (label) => ({ kind: 'choice', label })),
};

/** The limits that a form names. */
export const limitsOf = (input: FormInput<typeof LIMIT_FIELDS>): readonly Limit[] =>
  KINDS.flatMap((kind) => {
    const limit = input[kind];
    return limit === null ? [] : [{ kind, limit, windowSeconds: Number(input[windowField(kind)]) }];
  });

const UNITS = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3_600, name: 'hour' },
  { seconds: 60, name: 'minute' },
  { seconds: 1, name: 'second' },
] as const;

/** What stands after "per": `hour`, `10 minutes`, `30 days`. */
export function windowLabel(seconds: number): string {
  const unit = UNITS.find((each) => seconds % each.seconds === 0) ?? UNITS[3];
  const count = seconds / unit.seconds;
  return count === 1 ? unit.name : `${formatExact(count)} ${unit.name}s`;
}

/** How long something lasts yet, rounded up: `42 minutes`, `3 hours`, `12 days`. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  // The largest unit that it lasts at least two of.
  const unit = UNITS.find((each) => seconds >= 2 * each.seconds) ?? UNITS[3];
  return formatPlural(Math.ceil(seconds / unit.seconds), unit.name);
}

const OFFERED_SECONDS = [60, 600, 3_600, 21_600, 86_400, 604_800, 2_592_000] as const;

/** Windows to choose from, up to the longest; one that was chosen elsewhere is among them. */
export function windowOptions(
  chosen: number,
  longestSeconds = Number.POSITIVE_INFINITY,
): { value: string; label: string }[] {
  return [...new Set([...OFFERED_SECONDS.filter((seconds) => seconds <= longestSeconds), chosen])]
    .sort((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: `per ${windowLabel(seconds)}` }));
}
