'use server';

import { revalidatePath } from 'next/cache';
import { type FieldsState, fieldsStateOf } from '#app/[org]/settings/fields-state.ts';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import {
  createRepository,
  deleteRepository,
  updateRepository,
} from '#product/repositories/change-repositories.ts';
import type { RepositoryProvider } from '#storage/ports/repositories.ts';

const FIELDS = ['name', 'provider', 'url', 'linkTemplate'];

/** Makes a repository, or changes the one with the number. */
export async function saveRepositoryAction(
  orgSlug: string,
  repositoryId: number | null,
  _previous: FieldsState,
  form: FormData,
): Promise<FieldsState> {
  const ctx = await getRequestContext(orgSlug);
  const input = {
    name: textOf(form, 'name'),
    // The verb knows the providers.
    provider: textOf(form, 'provider') as RepositoryProvider,
    url: textOf(form, 'url') || null,
    linkTemplate: textOf(form, 'linkTemplate') || null,
  };
  const state = await fieldsStateOf(
    () =>
      repositoryId === null
        ? createRepository(ctx, input)
        : updateRepository(ctx, { ...input, repositoryId }),
    FIELDS,
    ctx.now(),
  );
  revalidatePath(`/${orgSlug}/settings/repositories`);
  return state;
}

/** Answers what went wrong, or null. */
export async function deleteRepositoryAction(orgSlug: string, repositoryId: number): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => deleteRepository(ctx, repositoryId));
  revalidatePath(`/${orgSlug}/settings/repositories`);
  return refusal?.message ?? null;
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '');
