'use server';

import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { setSharingAllowed } from '#product/sharing/organization-sharing.ts';
import { stopSharing } from '#product/sharing/stop-sharing.ts';

/** Answers what went wrong, or null. */
export async function allowSharingAction(orgSlug: string, isAllowed: boolean): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  return answering(orgSlug, () => setSharingAllowed(ctx, isAllowed));
}

/** Answers what went wrong, or null. */
export async function stopSharingIssueAction(orgSlug: string, shortId: string): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  return answering(orgSlug, async () => stopSharing(ctx, await getIssue(ctx, shortId)));
}

async function answering(orgSlug: string, act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
  } catch (error) {
    if (isErrataError(error)) return `${error.message}.`;
    throw error;
  }
  revalidatePath(`/${orgSlug}/settings/sharing`);
  return null;
}
