import { readCount } from '#app/[org]/settings/read-count.ts';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import type { SettingsState } from '#app/[org]/settings/use-settings-form.ts';
import type { Limit } from '#product/quotas/check-limits.ts';
import { LIMIT_KINDS, type LimitKind } from '#product/quotas/limit-kinds.ts';

/** Of a form of limits. */
export type LimitsState = SettingsState & {
  /** What is wrong with the limit of a kind. */
  errors: Readonly<Partial<Record<LimitKind, string>>>;
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
    const limit = readCount(form, `${kind}-limit`);
    if (limit === null) continue;
    if (Number.isNaN(limit)) errors[kind] = 'Give a whole number, or nothing for no limit.';
    else limits.push({ kind, limit, windowSeconds: Number(form.get(`${kind}-window`)) });
  }
  if (Object.keys(errors).length > 0) return { errors, error: null, savedAt: previous.savedAt };
  const refusal = await refusalOf(() => save(limits));
  if (refusal) {
    const { savedAt } = previous;
    const kind = LIMIT_KINDS.find((each) => each.kind === refusal.field)?.kind;
    return kind
      ? { errors: { [kind]: refusal.message }, error: null, savedAt }
      : { errors: {}, error: refusal.message, savedAt };
  }
  return { errors: {}, error: null, savedAt: nowMs };
}
