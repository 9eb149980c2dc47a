import { isErrataError } from '#lib/errors.ts';
import type { Limit } from '#product/quotas/check-limits.ts';
import { LIMIT_KINDS, type LimitKind } from '#product/quotas/limit-kinds.ts';

/** Of a form of limits. */
export type LimitsState = {
  /** What is wrong with the limit of a kind. */
  errors: Readonly<Partial<Record<LimitKind, string>>>;
  /** What is wrong with the whole. */
  error: string | null;
  /** Milliseconds since the epoch; null until it was saved. */
  savedAt: number | null;
};

/** Saves the limits that the form names by `save`, all or none. An empty field is no limit. */
export async function saveLimits(
  previous: LimitsState,
  form: FormData,
  nowMs: number,
  save: (limits: readonly Limit[]) => Promise<unknown>,
): Promise<LimitsState> {
  const limits: Limit[] = [];
  const errors: Partial<Record<LimitKind, string>> = {};
  for (const { kind } of LIMIT_KINDS) {
    const text = String(form.get(`${kind}-limit`) ?? '').replace(/[\s,']/g, '');
    if (text === '') continue;
    if (/^\d{1,15}$/.test(text)) {
      limits.push({ kind, limit: Number(text), windowSeconds: Number(form.get(`${kind}-window`)) });
    } else {
      errors[kind] = 'Give a whole number, or nothing for no limit.';
    }
  }
  if (Object.keys(errors).length > 0) return { errors, error: null, savedAt: previous.savedAt };
  try {
    await save(limits);
  } catch (error) {
    if (!isErrataError(error)) throw error;
    const kind = LIMIT_KINDS.find((each) => each.kind === error.field)?.kind;
    return kind
      ? { errors: { [kind]: `${error.message}.` }, error: null, savedAt: previous.savedAt }
      : { errors: {}, error: `${error.message}.`, savedAt: previous.savedAt };
  }
  return { errors: {}, error: null, savedAt: nowMs };
}
