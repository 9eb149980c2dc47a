'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { createProject } from '#product/projects/create-project.ts';

export type NewProjectState = { field: 'name' | 'slug' | 'platform' | null; error: string | null };

export async function createProjectAction(
  orgSlug: string,
  _previous: NewProjectState,
  form: FormData,
): Promise<NewProjectState> {
  const ctx = await getRequestContext(orgSlug);
  const slug = String(form.get('slug') ?? '').trim();
  try {
    await createProject(ctx, {
      slug,
      name: String(form.get('name') ?? ''),
      platform: String(form.get('platform') ?? '') || null,
    });
  } catch (error) {
    if (isErrataError(error)) return { error: `${error.message}.`, field: fieldOf(error.code, error.field) };
    throw error;
  }
  revalidatePath(`/${orgSlug}`, 'layout');
  redirect(`/${orgSlug}/projects/${slug}/getting-started`);
}

function fieldOf(code: string, field: string | null): NewProjectState['field'] {
  if (code === 'conflict') return 'slug';
  return field === 'name' || field === 'slug' || field === 'platform' ? field : null;
}
