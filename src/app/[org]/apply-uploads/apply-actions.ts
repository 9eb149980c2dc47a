'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import { cancelReprocess } from '#product/symbolication/cancel-reprocess.ts';
import { startReprocess } from '#product/symbolication/start-reprocess.ts';

const slug = z.string().max(100);
const id = z.number().int().positive();
const APPLY = z.strictObject({
  organizationSlug: slug,
  projectSlug: slug,
  scope: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('release'), version: z.string().max(250) }),
    z.strictObject({ kind: z.literal('issue'), issueId: id }),
    z.strictObject({ kind: z.literal('bundle'), bundleId: id }),
  ]),
});
const CANCEL = z.strictObject({ organizationSlug: slug, runId: id });

/** Answers what went wrong, or null. */
export async function applyUploadsAction(input: z.infer<typeof APPLY>): Promise<string | null> {
  const { organizationSlug, ...start } = APPLY.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  const refusal = await refusalOf(() => startReprocess(ctx, start));
  revalidatePath(`/${organizationSlug}`, 'layout');
  return refusal?.message ?? null;
}

/** Answers what went wrong, or null. */
export async function cancelApplyAction(input: z.infer<typeof CANCEL>): Promise<string | null> {
  const { organizationSlug, runId } = CANCEL.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  const refusal = await refusalOf(() => cancelReprocess(ctx, runId));
  revalidatePath(`/${organizationSlug}`, 'layout');
  return refusal?.message ?? null;
}
