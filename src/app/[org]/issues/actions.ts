'use server';

import { z } from 'zod';
import type { Answer } from '#app/forms/submit-form.ts';
import type { IssueRestoration } from '#domain/issues/issue.ts';
import { restoreIssues, updateIssues } from '#product/issues/update-issues.ts';
import { listProjectReleases } from '#product/releases/list-releases.ts';
import { createSavedSearch, deleteSavedSearch } from '#product/saved-searches/saved-searches.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { getRequestContext } from '../../request-context.ts';
import { attempt } from './attempt.ts';
import { RELEASES_INPUT, TRIAGE_INPUT, UNDO_INPUT } from './triage/triage-input.ts';
import { triageChange, undoOf } from './triage.ts';

/** Resolves, archives, assigns … issues as the signed-in user. Answers what undo needs. */
export async function triageIssues(
  input: z.input<typeof TRIAGE_INPUT>,
): Promise<Answer<IssueRestoration | null>> {
  const { organizationSlug, action, issueIds } = TRIAGE_INPUT.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  const { actor } = ctx;
  if (actor.kind !== 'user') return { ok: false, message: 'Sign in to update issues', field: null };
  return await attempt(organizationSlug, async () => {
    const { before } = await updateIssues(ctx, { issueIds, change: triageChange(action, actor.userId) });
    return before.length > 0 ? undoOf(action, before) : null;
  });
}

/** Puts issues back to how they were before an action. */
export async function undoTriage(input: z.input<typeof UNDO_INPUT>): Promise<Answer<null>> {
  const { organizationSlug, restoration } = UNDO_INPUT.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  return await attempt(organizationSlug, async () => {
    await restoreIssues(ctx, restoration);
    return null;
  });
}

/** Releases that issues of the scopes can be resolved in, and the newest one. */
export async function findReleases(input: z.input<typeof RELEASES_INPUT>) {
  const { organizationSlug, scopes, search } = RELEASES_INPUT.parse(input);
  return listProjectReleases(await getRequestContext(organizationSlug), scopes, search);
}

const organizationSlug = z.string().max(50);
const SAVE_INPUT = z.object({
  organizationSlug,
  name: z.string().max(200),
  query: z.string().max(QUERY_CHARACTERS_MAX),
  sort: z.enum(['date', 'new', 'freq']),
  isShared: z.boolean(),
});
const DELETE_INPUT = z.object({ organizationSlug, searchId: z.number().int().positive() });

export async function saveSearch(input: z.input<typeof SAVE_INPUT>): Promise<Answer<null>> {
  const { organizationSlug: slug, ...search } = SAVE_INPUT.parse(input);
  return await attempt(slug, async () => {
    await createSavedSearch(await getRequestContext(slug), search);
    return null;
  });
}

export async function deleteSearch(input: z.input<typeof DELETE_INPUT>): Promise<Answer<null>> {
  const { organizationSlug: slug, searchId } = DELETE_INPUT.parse(input);
  return await attempt(slug, async () => {
    await deleteSavedSearch(await getRequestContext(slug), searchId);
    return null;
  });
}
