'use server';

import { z } from 'zod';
import { formAction } from '#app/forms/action.ts';
import { NotSaved } from '#app/forms/submit-form.ts';
import { checkOwnership, type OwnershipCheck, updateOwnership } from '#product/ownership/ownership.ts';
import { loadOwnerDirectory } from '#product/ownership/resolve-owner.ts';
import { requireRight } from '#product/permissions.ts';
import { OWNERSHIP_FIELDS } from './ownership-fields.ts';

/** What is wrong with which line, and the version that is edited from now on. */
export type OwnershipResult = { check: OwnershipCheck; version: number };

/** Saves both texts and the setting, or nothing when a line is wrong. `version` is the one that the page showed at first. */
export const saveOwnershipAction = formAction({
  fields: OWNERSHIP_FIELDS,
  place: z.strictObject({ projectSlug: z.string().max(100), version: z.number().int().min(0) }),
  save: async (ctx, change, place, previous: OwnershipResult | null) => {
    requireRight(ctx, 'project:write');
    const version = previous?.version ?? place.version;
    const check = checkOwnership(change, await loadOwnerDirectory(ctx));
    if (check.rules.length + check.codeowners.length > 0) return new NotSaved({ check, version });
    const saved = await updateOwnership(ctx, { projectSlug: place.projectSlug, change, version });
    return { check, version: saved.version };
  },
});
