'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { type Refusal, refusalOf } from '#app/[org]/settings/refusal.ts';
import type { SettingsState } from '#app/[org]/settings/use-settings-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import { deleteProject } from '#product/projects/delete-project.ts';
import { updateProject } from '#product/projects/update-project.ts';

export type ProjectState = SettingsState & {
  name: string;
  slug: string;
  /** Empty when not chosen. */
  platform: string;
  refusal: Refusal | null;
};

export async function saveProjectAction(
  orgSlug: string,
  projectSlug: string,
  previous: ProjectState,
  form: FormData,
): Promise<ProjectState> {
  const ctx = await getRequestContext(orgSlug);
  const typed = {
    name: String(form.get('name') ?? ''),
    slug: String(form.get('slug') ?? '').trim(),
    platform: String(form.get('platform') ?? ''),
  };
  const refusal = await refusalOf(() =>
    updateProject(ctx, { projectSlug, change: { ...typed, platform: typed.platform || null } }),
  );
  if (refusal) {
    const error = FIELDS.has(refusal.field ?? '') ? null : refusal.message;
    return { ...previous, ...typed, refusal, error, savedAt: null };
  }
  revalidatePath(`/${orgSlug}`, 'layout');
  if (typed.slug !== projectSlug) redirect(`/${orgSlug}/settings/projects/${typed.slug}`);
  return { ...typed, refusal: null, error: null, savedAt: ctx.now() };
}

const FIELDS: ReadonlySet<string> = new Set(['name', 'slug', 'platform']);

/** Answers what went wrong; leaves for the list of projects when nothing did. */
export async function deleteProjectAction(
  orgSlug: string,
  projectSlug: string,
  confirmation: string,
): Promise<string> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => deleteProject(ctx, { projectSlug, confirmation }));
  if (refusal) return refusal.message;
  revalidatePath(`/${orgSlug}`, 'layout');
  redirect(`/${orgSlug}/projects`);
}
