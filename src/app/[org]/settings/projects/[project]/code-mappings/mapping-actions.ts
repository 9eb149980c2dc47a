'use server';

import { revalidatePath } from 'next/cache';
import { type FieldsState, fieldsStateOf } from '#app/[org]/settings/fields-state.ts';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import {
  deleteCodeMapping,
  saveCodeMapping,
  updateCodeMapping,
} from '#product/code-mappings/change-code-mappings.ts';

const FIELDS = ['stackRoot', 'sourceRoot', 'repositoryId', 'defaultBranch'];

/** Makes a code mapping, or changes the one with the number. */
export async function saveMappingAction(
  orgSlug: string,
  projectSlug: string,
  mappingId: number | null,
  _previous: FieldsState,
  form: FormData,
): Promise<FieldsState> {
  const ctx = await getRequestContext(orgSlug);
  const input = {
    projectSlug,
    repositoryId: Number(form.get('repositoryId') ?? 0),
    stackRoot: textOf(form, 'stackRoot'),
    sourceRoot: textOf(form, 'sourceRoot'),
    defaultBranch: textOf(form, 'defaultBranch'),
  };
  if (!Number.isSafeInteger(input.repositoryId) || input.repositoryId < 1) {
    return { error: null, problems: { repositoryId: 'Choose a repository.' }, savedAt: null };
  }
  const state = await fieldsStateOf(
    () =>
      mappingId === null ? saveCodeMapping(ctx, input) : updateCodeMapping(ctx, { ...input, mappingId }),
    FIELDS,
    ctx.now(),
  );
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/code-mappings`);
  return state;
}

/** Answers what went wrong, or null. */
export async function deleteMappingAction(
  orgSlug: string,
  projectSlug: string,
  mappingId: number,
): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => deleteCodeMapping(ctx, mappingId));
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/code-mappings`);
  return refusal?.message ?? null;
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '');
