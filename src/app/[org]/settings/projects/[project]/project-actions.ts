'use server';

import { z } from 'zod';
import {
  KEY_FIELDS,
  KEY_RATE_LIMIT_FIELDS,
  MAPPING_FIELDS,
  OWNERSHIP_FIELDS,
  PROJECT_FIELDS,
  SPIKE_FIELDS,
} from '#app/[org]/settings/projects/[project]/project-fields.ts';
import { LIMIT_FIELDS, limitsOf } from '#app/[org]/settings/quotas/limit-fields.ts';
import { action, answeringFormAction, formAction, leaveTo } from '#app/forms/action.ts';
import { NotSaved } from '#app/forms/submit-form.ts';
import { invalid } from '#lib/errors.ts';
import { deleteBundle } from '#product/artifacts/bundles.ts';
import { deleteDeobfuscationFile } from '#product/artifacts/deobfuscation-files.ts';
import {
  deleteCodeMapping,
  saveCodeMapping,
  updateCodeMapping,
} from '#product/code-mappings/code-mappings.ts';
import { restoreDiscardedIssue } from '#product/issue-deletion/delete-issues.ts';
import { checkOwnership, type OwnershipCheck, updateOwnership } from '#product/ownership/ownership.ts';
import { loadOwnerDirectory } from '#product/ownership/resolve-owner.ts';
import { requireRight } from '#product/permissions.ts';
import { deleteProject, updateProject } from '#product/projects/change-projects.ts';
import { createProjectKey, setProjectKeyActive, updateProjectKey } from '#product/projects/client-keys.ts';
import { updateProjectLimits } from '#product/quotas/limits.ts';
import { updateSpikeProtection } from '#product/quotas/spike-protection.ts';

const SLUG = z.string().max(100);
const ID = z.number().int().positive();
const PROJECT = z.strictObject({ projectSlug: SLUG });

export const saveProjectAction = formAction({
  fields: PROJECT_FIELDS,
  place: PROJECT,
  save: async (ctx, { platform, ...change }, { projectSlug }) => {
    await updateProject(ctx, { projectSlug, change: { ...change, platform: platform || null } });
    const { slug } = ctx.organization;
    if (change.slug !== projectSlug) leaveTo(ctx, `/${slug}/settings/projects/${change.slug}`);
  },
});

/** `confirmation` is the slug, typed once more. Leads to the list of projects. */
export async function deleteProjectAction(orgSlug: string, projectSlug: string, confirmation: string) {
  return deleteConfirmed(orgSlug, { projectSlug, confirmation });
}

const deleteConfirmed = action({
  input: z.strictObject({ projectSlug: SLUG, confirmation: SLUG }),
  run: async (ctx, input) => {
    await deleteProject(ctx, input);
    leaveTo(ctx, `/${ctx.organization.slug}/projects`);
  },
});

export const createKeyAction = formAction({
  fields: KEY_FIELDS,
  place: PROJECT,
  save: (ctx, { label }, { projectSlug }) => createProjectKey(ctx, { projectSlug, label }),
});

export const saveKeyRateLimitAction = formAction({
  fields: KEY_RATE_LIMIT_FIELDS,
  place: z.strictObject({ projectSlug: SLUG, key: ID }),
  save: async (ctx, { count, window }, place) => {
    const rateLimit = count === null ? null : { count, windowSeconds: Number(window) };
    await updateProjectKey(ctx, { ...place, change: { rateLimit } });
  },
});

export const setKeyActiveAction = action({
  input: z.strictObject({ projectSlug: SLUG, keyId: ID, isActive: z.boolean() }),
  run: setProjectKeyActive,
});

export const saveProjectLimitsAction = formAction({
  fields: LIMIT_FIELDS,
  place: PROJECT,
  save: (ctx, input, { projectSlug }) => updateProjectLimits(ctx, { projectSlug, limits: limitsOf(input) }),
});

export const saveSpikeAction = formAction({
  fields: SPIKE_FIELDS,
  place: PROJECT,
  save: (ctx, spike, { projectSlug }) => updateSpikeProtection(ctx, { projectSlug, spike }),
});

/** What is wrong with which line, and the version that is edited from now on. */
type OwnershipResult = { check: OwnershipCheck; version: number };

/** Saves both texts and the setting, or nothing when a line is wrong. `version` is the one that the page showed at first. */
export const saveOwnershipAction = answeringFormAction({
  fields: OWNERSHIP_FIELDS,
  place: z.strictObject({ projectSlug: SLUG, version: z.number().int().min(0) }),
  save: async (ctx, change, place, previous: OwnershipResult | null) => {
    requireRight(ctx, 'project:write');
    const version = previous?.version ?? place.version;
    const check = checkOwnership(change, await loadOwnerDirectory(ctx));
    if (check.rules.length + check.codeowners.length > 0) return new NotSaved({ check, version });
    const saved = await updateOwnership(ctx, { projectSlug: place.projectSlug, change, version });
    return { check, version: saved.version };
  },
});

/** Creates a code mapping, or changes the one with the ID. */
export const saveMappingAction = formAction({
  fields: MAPPING_FIELDS,
  place: z.strictObject({ projectSlug: SLUG, mappingId: ID.nullable() }),
  save: async (ctx, fields, { projectSlug, mappingId }) => {
    const repositoryId = Number(fields.repositoryId);
    if (!ID.safeParse(repositoryId).success) throw invalid('Choose a repository', 'repositoryId');
    const input = { ...fields, repositoryId, projectSlug };
    if (mappingId === null) await saveCodeMapping(ctx, input);
    else await updateCodeMapping(ctx, { ...input, mappingId });
  },
});

export const deleteCodeMappingAction = action({ input: ID, run: deleteCodeMapping });

export const deleteUploadAction = action({
  input: z.strictObject({ bundleId: ID }),
  run: deleteBundle,
});

export const deleteMappingAction = action({
  input: z.strictObject({ projectSlug: SLUG, fileId: ID }),
  run: deleteDeobfuscationFile,
});

export const restoreAction = action({
  input: z.strictObject({ projectSlug: SLUG, discardedId: ID }),
  run: restoreDiscardedIssue,
});
