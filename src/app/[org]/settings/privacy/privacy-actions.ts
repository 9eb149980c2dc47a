'use server';

import { revalidatePath } from 'next/cache';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { checkPrivacy, type PrivacyProblem } from '#product/privacy/check-privacy.ts';
import { type PrivacyPreview, previewPrivacyRules } from '#product/privacy/preview-privacy-rules.ts';
import { updateOrganizationPrivacy } from '#product/privacy/update-organization-privacy.ts';
import { updateProjectPrivacy } from '#product/privacy/update-project-privacy.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';

/** Whose settings: a project's, or with null those of the organization. */
export type PrivacyOwner = { orgSlug: string; projectSlug: string | null };

export type SaveResult =
  | { kind: 'saved'; privacy: PrivacySettings }
  /** What is wrong with which field or rule. */
  | { kind: 'wrong'; problems: readonly PrivacyProblem[] }
  | { kind: 'failed'; message: string };

export type PreviewResult = { kind: 'tried'; preview: PrivacyPreview } | { kind: 'failed'; message: string };

/** Saves all settings, or nothing when something is wrong with one of them. */
export async function savePrivacyAction(owner: PrivacyOwner, privacy: PrivacySettings): Promise<SaveResult> {
  const ctx = await getRequestContext(owner.orgSlug);
  const { problems } = checkPrivacy(privacy);
  if (problems.length > 0) return { kind: 'wrong', problems };
  try {
    const saved =
      owner.projectSlug === null
        ? await updateOrganizationPrivacy(ctx, privacy)
        : await updateProjectPrivacy(ctx, { projectSlug: owner.projectSlug, change: privacy });
    revalidatePath(
      owner.projectSlug === null
        ? `/${owner.orgSlug}/settings/privacy`
        : `/${owner.orgSlug}/settings/projects/${owner.projectSlug}/privacy`,
    );
    return { kind: 'saved', privacy: saved };
  } catch (error) {
    if (isErrataError(error)) return { kind: 'failed', message: `${error.message}.` };
    throw error;
  }
}

/** Tries settings that are not saved on a stored event: the given one, else the newest. */
export async function previewPrivacyAction(
  owner: PrivacyOwner,
  privacy: PrivacySettings,
  eventId: string,
): Promise<PreviewResult> {
  const ctx = await getRequestContext(owner.orgSlug);
  try {
    const preview = await previewPrivacyRules(ctx, {
      projectSlug: owner.projectSlug,
      privacy,
      eventId: eventId.trim() === '' ? null : eventId,
    });
    return { kind: 'tried', preview };
  } catch (error) {
    if (isErrataError(error)) return { kind: 'failed', message: `${error.message}.` };
    throw error;
  }
}
