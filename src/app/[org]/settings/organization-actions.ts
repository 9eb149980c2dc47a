'use server';

import { z } from 'zod';
import {
  ORGANIZATION_FIELDS,
  REPOSITORY_FIELDS,
  TEAM_FIELDS,
  TOKEN_FIELDS,
} from '#app/[org]/settings/organization-fields.ts';
import { action, answeringFormAction, formAction, leaveTo } from '#app/forms/action.ts';
import { tokenDays } from '#app/token-days.ts';
import { invalid } from '#lib/errors.ts';
import { suggestSlug } from '#lib/slug.ts';
import { setTwoFactorRequired } from '#product/accounts/second-factor-policy.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { deleteOrganization, updateOrganization } from '#product/organizations/organizations.ts';
import { updateOrganizationLimits } from '#product/quotas/limits.ts';
import { createRepository, deleteRepository, updateRepository } from '#product/repositories/repositories.ts';
import type { RepositoryProvider } from '#product/repositories/repository.ts';
import { updateProjectBudget, updateRetentionDays } from '#product/retention/storage-settings.ts';
import { setSharingAllowed, stopSharing } from '#product/sharing/sharing.ts';
import { createTeam, deleteTeam, setTeamMember, setTeamProject } from '#product/teams/teams.ts';
import {
  createOrganizationToken,
  revokeAllOrganizationTokens,
  revokeOrganizationToken,
  tokenExpiry,
} from '#product/tokens/organization-tokens.ts';
import { LIMIT_FIELDS, limitsOf } from './quotas/limit-fields.ts';
import { BUDGET_FIELDS, RETENTION_FIELDS } from './storage/storage-fields.ts';

const SLUG = z.string().max(100);
const ID = z.number().int().positive();

export const saveOrganizationAction = formAction({
  fields: ORGANIZATION_FIELDS,
  place: z.null(),
  save: async (ctx, input) => {
    const { slug } = await updateOrganization(ctx, input);
    if (slug !== ctx.organization.slug) leaveTo(ctx, `/${slug}/settings`);
  },
});

/** `input` is the slug, typed once more. Leads to the start page. */
export const deleteOrganizationAction = action({
  input: SLUG,
  run: async (ctx, confirmation) => {
    await deleteOrganization(ctx, { confirmation });
    leaveTo(ctx, '/');
  },
});

export const requireTwoFactorAction = action({ input: z.boolean(), run: setTwoFactorRequired });

export const saveQuotasAction = formAction({
  fields: LIMIT_FIELDS,
  place: z.null(),
  save: (ctx, input) => updateOrganizationLimits(ctx, limitsOf(input)),
});

export const allowSharingAction = action({ input: z.boolean(), run: setSharingAllowed });

export const stopSharingIssueAction = action({
  input: SLUG,
  run: async (ctx, shortId) => stopSharing(ctx, await getIssue(ctx, shortId)),
});

const BYTES_PER_GIB = 1024 ** 3;

export const saveRetentionAction = formAction({
  fields: RETENTION_FIELDS,
  place: z.null(),
  save: updateRetentionDays,
});

export const saveBudgetAction = formAction({
  fields: BUDGET_FIELDS,
  place: z.null(),
  save: async (ctx, { project, budget }) => {
    const projectId = Number(project);
    if (!Number.isSafeInteger(projectId) || projectId < 1) throw invalid('Choose a project', 'project');
    const bytes = budget === null ? null : Math.round(budget * BYTES_PER_GIB);
    await updateProjectBudget(ctx, projectId, bytes);
  },
});

export const createTeamAction = formAction({
  fields: TEAM_FIELDS,
  place: z.null(),
  // The slug is made of the name.
  save: (ctx, { name }) => createTeam(ctx, { name, slug: suggestSlug(name) }),
});

export const deleteTeamAction = action({ input: SLUG, run: deleteTeam });

export const setMemberAction = action({
  input: z.strictObject({ team: SLUG, userId: SLUG, isMember: z.boolean() }),
  run: setTeamMember,
});

export const setProjectAction = action({
  input: z.strictObject({ team: SLUG, projectSlug: SLUG, isOwned: z.boolean() }),
  run: setTeamProject,
});

export const createTokenAction = answeringFormAction({
  fields: TOKEN_FIELDS,
  place: z.null(),
  save: async (ctx, { name, ...expiry }) => {
    const expiresAt = tokenExpiry(tokenDays(expiry), ctx.now());
    const { record, token } = await createOrganizationToken(ctx, { name, expiresAt });
    return { name: record.name, token };
  },
});

export const revokeTokenAction = action({
  input: ID,
  run: (ctx, tokenId) => revokeOrganizationToken(ctx, { tokenId }),
});

export const revokeAllTokensAction = action({ input: z.null(), run: revokeAllOrganizationTokens });

/** Adds a repository, or changes the one with the ID. */
export const saveRepositoryAction = formAction({
  fields: REPOSITORY_FIELDS,
  place: ID.nullable(),
  save: async (ctx, { name, provider, url, linkTemplate }, repositoryId) => {
    const input = {
      name,
      // The verb knows the providers.
      provider: provider as RepositoryProvider,
      url: url || null,
      linkTemplate: linkTemplate || null,
    };
    if (repositoryId === null) await createRepository(ctx, input);
    else await updateRepository(ctx, { ...input, repositoryId });
  },
});

export const deleteRepositoryAction = action({ input: ID, run: deleteRepository });
