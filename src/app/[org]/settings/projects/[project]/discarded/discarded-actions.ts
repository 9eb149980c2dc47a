'use server';

import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { restoreDiscardedIssue } from '#product/issue-deletion/discarded-issues.ts';

/** Answers what went wrong, or null. */
export async function restoreAction(
  orgSlug: string,
  projectSlug: string,
  discardedId: number,
): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  try {
    await restoreDiscardedIssue(ctx, { projectSlug, discardedId });
  } catch (error) {
    if (isErrataError(error)) return `${error.message}.`;
    throw error;
  }
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/discarded`);
  return null;
}
