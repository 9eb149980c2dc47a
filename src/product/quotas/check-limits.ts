import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import type { QuotaLimit } from '#storage/ports/ingest-settings.ts';
import { factsOfKind, LIMIT_KINDS, type LimitKind } from './limit-kinds.ts';

/** At most `limit` items of a kind in each window. */
export type Limit = { kind: LimitKind; limit: number; windowSeconds: number };

const ITEMS_MAX = 1_000_000_000_000;
const WINDOW_SECONDS_MAX = 30 * 86_400;

const KINDS = LIMIT_KINDS.map(({ kind }) => kind) as [LimitKind, ...LimitKind[]];

const LIMIT = z.strictObject({
  kind: z.enum(KINDS),
  limit: z.int().min(0).max(ITEMS_MAX),
  windowSeconds: z.int().min(1).max(WINDOW_SECONDS_MAX),
});

/** The limits as they are stored. Throws Invalid, naming the kind as the field. */
export function checkLimits(limits: readonly unknown[]): QuotaLimit[] {
  const seen = new Set<LimitKind>();
  return limits.map((each) => {
    const { kind, limit, windowSeconds } = checkLimit(each);
    if (seen.has(kind)) throw invalid(`There are two limits of ${labelOf(kind)}: keep one`, kind);
    seen.add(kind);
    return { categories: factsOfKind(kind).categories, limit, windowSeconds };
  });
}

function checkLimit(value: unknown): Limit {
  const parsed = LIMIT.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const given = (value as { kind?: unknown } | null)?.kind;
  const kind = KINDS.find((known) => known === given);
  if (!kind) throw invalid(`A limit is of one of the kinds ${KINDS.join(', ')}`, 'kind');
  switch (issue?.path[0]) {
    case 'limit':
      throw invalid(
        `The limit of ${labelOf(kind)} must be a whole number from 0 (nothing is let in) to ${ITEMS_MAX}`,
        kind,
      );
    case 'windowSeconds':
      throw invalid(
        `The window of ${labelOf(kind)} must be a whole number of seconds from 1 to ${WINDOW_SECONDS_MAX} (30 days)`,
        kind,
      );
    default:
      throw invalid(
        `The limit of ${labelOf(kind)} has fields that mean nothing: it needs kind, limit and windowSeconds`,
        kind,
      );
  }
}

const labelOf = (kind: LimitKind): string => factsOfKind(kind).label.toLowerCase();
