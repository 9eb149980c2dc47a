'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import { deleteBundle } from '#product/artifacts/delete-bundle.ts';
import { deleteDeobfuscationFile } from '#product/artifacts/delete-deobfuscation-file.ts';

const slug = z.string().max(100);
const id = z.number().int().positive();
const UPLOAD = z.strictObject({ organizationSlug: slug, bundleId: id });
const MAPPING = z.strictObject({ organizationSlug: slug, projectSlug: slug, fileId: id });

/** Answers what went wrong, or null. */
export async function deleteUploadAction(input: z.infer<typeof UPLOAD>): Promise<string | null> {
  const { organizationSlug, bundleId } = UPLOAD.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  const refusal = await refusalOf(() => deleteBundle(ctx, { bundleId }));
  revalidatePath(`/${organizationSlug}`, 'layout');
  return refusal?.message ?? null;
}

/** Answers what went wrong, or null. */
export async function deleteMappingAction(input: z.infer<typeof MAPPING>): Promise<string | null> {
  const { organizationSlug, projectSlug, fileId } = MAPPING.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  const refusal = await refusalOf(() => deleteDeobfuscationFile(ctx, { projectSlug, fileId }));
  revalidatePath(`/${organizationSlug}/settings/projects/${projectSlug}/source-maps`, 'layout');
  return refusal?.message ?? null;
}
