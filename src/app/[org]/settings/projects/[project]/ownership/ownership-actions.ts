'use server';

import { revalidatePath } from 'next/cache';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import type { SettingsState } from '#app/[org]/settings/use-settings-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import { checkOwnership, type OwnershipCheck } from '#product/ownership/check-ownership.ts';
import { loadOwnerDirectory } from '#product/ownership/resolve-owner.ts';
import { updateOwnership } from '#product/ownership/update-ownership.ts';
import { hasRight } from '#product/permissions.ts';
import type { Ownership } from '#storage/ports/ownership.ts';

export type OwnershipState = SettingsState & {
  /** What is wrong with which line; null until something was sent. */
  check: OwnershipCheck | null;
  /** The version that is edited from now on. */
  version: number;
};

/** Saves both texts and the setting, or nothing when a line is wrong. */
export async function saveOwnershipAction(
  orgSlug: string,
  projectSlug: string,
  previous: OwnershipState,
  form: FormData,
): Promise<OwnershipState> {
  const ctx = await getRequestContext(orgSlug);
  const change: Ownership = {
    rules: textOf(form, 'rules'),
    codeowners: textOf(form, 'codeowners'),
    stackRoot: textOf(form, 'stackRoot'),
    sourceRoot: textOf(form, 'sourceRoot'),
    autoAssign: form.has('autoAssign'),
  };
  if (!hasRight(ctx.actor, 'project:write')) {
    return { ...previous, check: null, error: 'Only admins change these rules: ask one of them.' };
  }
  const check = checkOwnership(change, await loadOwnerDirectory(ctx));
  if (check.rules.length + check.codeowners.length > 0) return { ...previous, check, error: null };
  let { version } = previous;
  const refusal = await refusalOf(async () => {
    ({ version } = await updateOwnership(ctx, { projectSlug, change, version }));
  });
  if (refusal) return { ...previous, check, error: refusal.message };
  revalidatePath(`/${orgSlug}/settings/projects/${projectSlug}/ownership`);
  return { check, error: null, version, savedAt: ctx.now() };
}

/** A browser sends lines with CRLF. */
const textOf = (form: FormData, name: string): string =>
  String(form.get(name) ?? '').replaceAll('\r\n', '\n');
