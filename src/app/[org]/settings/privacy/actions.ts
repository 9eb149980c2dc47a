'use server';

import { z } from 'zod';
import { answeringAction } from '#app/forms/action.ts';
import { checkPrivacy, type PrivacyProblem } from '#product/privacy/check-privacy.ts';
import { previewPrivacyRules } from '#product/privacy/preview-privacy-rules.ts';
import { updateOrganizationPrivacy, updateProjectPrivacy } from '#product/privacy/privacy-settings.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';

const DRAFT = {
  /** Of the settings of a project; null for those of the organization. */
  projectSlug: z.string().max(100).nullable(),
  /** The verbs check them. */
  privacy: z.custom<PrivacySettings>((sent) => typeof sent === 'object' && sent !== null),
};

type SavedPrivacy =
  | { privacy: PrivacySettings; problems: null }
  /** What is wrong with which field or rule: nothing was saved. */
  | { privacy: null; problems: readonly PrivacyProblem[] };

/** Saves all settings, or nothing when something is wrong with one of them. */
export const savePrivacyAction = answeringAction({
  input: z.strictObject(DRAFT),
  run: async (ctx, { projectSlug, privacy }): Promise<SavedPrivacy> => {
    const { problems } = checkPrivacy(privacy);
    if (problems.length > 0) return { privacy: null, problems };
    const saved =
      projectSlug === null
        ? await updateOrganizationPrivacy(ctx, privacy)
        : await updateProjectPrivacy(ctx, { projectSlug, change: privacy });
    return { privacy: saved, problems: null };
  },
});

/** Tries settings that are not saved on a stored event: the one with the ID, else the newest. */
export const previewPrivacyAction = answeringAction({
  input: z.strictObject({ ...DRAFT, eventId: z.string().max(100) }),
  run: (ctx, { eventId, ...draft }) =>
    previewPrivacyRules(ctx, { ...draft, eventId: eventId.trim() || null }),
  revalidates: 'nothing',
});
