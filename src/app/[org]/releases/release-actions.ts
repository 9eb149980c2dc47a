'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import { updateRelease } from '#product/releases/save-release.ts';

const STATUS = z.strictObject({
  organizationSlug: z.string().max(100),
  version: z.string().max(250),
  status: z.enum(['open', 'archived']),
});

/** Puts a release aside, or takes it back. Answers what went wrong, or null. */
export async function setReleaseStatusAction(input: z.infer<typeof STATUS>): Promise<string | null> {
  const { organizationSlug, version, status } = STATUS.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  const refusal = await refusalOf(() =>
    updateRelease(ctx, { version, projectSlugs: [], change: { status } }),
  );
  revalidatePath(`/${organizationSlug}/releases`, 'layout');
  return refusal?.message ?? null;
}
