'use server';

import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { updateRetentionDays } from '#product/retention/update-retention-days.ts';
import { RETENTION_GROUPS, type RetentionGroup } from '#protocol/retention.ts';

/** Of the form of days: what was typed, kept when it was refused; nothing when what is stored stands there. */
export type RetentionState = {
  values: Partial<Record<RetentionGroup, string>>;
  errors: Partial<Record<RetentionGroup, string>>;
  /** Set when it could not be saved for a reason of no single field. */
  error: string | null;
  /** Grows with every success, for the toast. */
  saved: number;
};

export async function saveRetentionAction(
  orgSlug: string,
  previous: RetentionState,
  form: FormData,
): Promise<RetentionState> {
  const ctx = await getRequestContext(orgSlug);
  const values: Partial<Record<RetentionGroup, string>> = {};
  const change: Partial<Record<RetentionGroup, number | null>> = {};
  const errors: Partial<Record<RetentionGroup, string>> = {};
  for (const group of RETENTION_GROUPS) {
    const text = String(form.get(group) ?? '').trim();
    values[group] = text;
    if (text === '') change[group] = null;
    else if (/^\d{1,6}$/.test(text)) change[group] = Number(text);
    else errors[group] = 'Give a whole number of days.';
  }
  if (Object.keys(errors).length > 0) return { values, errors, error: null, saved: previous.saved };
  try {
    await updateRetentionDays(ctx, change);
  } catch (error) {
    if (!isErrataError(error)) throw error;
    const field = RETENTION_GROUPS.find((group) => group === error.field);
    return field
      ? { values, errors: { [field]: `${error.message}.` }, error: null, saved: previous.saved }
      : { values, errors: {}, error: `${error.message}.`, saved: previous.saved };
  }
  revalidatePath(`/${orgSlug}/settings/storage`);
  return { values: {}, errors: {}, error: null, saved: previous.saved + 1 };
}
