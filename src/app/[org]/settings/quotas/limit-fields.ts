import { type FormInput, fieldForEach } from '#app/forms/fields.ts';
import { LIMIT_KINDS, type LimitKind } from '#product/quotas/limit-kinds.ts';
import type { Limit } from '#product/quotas/limits.ts';

const KINDS = LIMIT_KINDS.map(({ kind }) => kind);

/** The name of the field of a limit's window. */
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
