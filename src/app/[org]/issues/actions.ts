'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import type { IssueRestoration } from '#domain/issues/issue.ts';
import { isErrataError } from '#lib/errors.ts';
import { restoreIssues, updateIssues } from '#product/issues/update-issues.ts';
import { listProjectReleases } from '#product/releases/list-releases.ts';
import type { ReleaseSummary } from '#product/releases/release.ts';
import { createSavedSearch, deleteSavedSearch } from '#product/saved-searches/saved-searches.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { getRequestContext } from '../../request-context.ts';
import { RELEASES_INPUT, TRIAGE_INPUT, UNDO_INPUT } from './triage/triage-input.ts';
import { type TriageAction, triageChange, undoOf } from './triage.ts';

type TriageResult = { ok: true; undo: IssueRestoration | null } | { ok: false; message: string };

/** Resolves, archives, assigns … issues as the signed-in user. Answers what undo needs. */
export async function triageIssues(input: {
  organizationSlug: string;
  action: TriageAction;
  issueIds: readonly number[];
}): Promise<TriageResult> {
  const { organizationSlug, action, issueIds } = TRIAGE_INPUT.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  if (ctx.actor.kind !== 'user') return { ok: false, message: 'Sign in to update issues' };
  const change = triageChange(action, ctx.actor.userId);
  try {
    const { before } = await updateIssues(ctx, { issueIds, change });
    revalidatePath(`/${organizationSlug}`, 'layout');
    return { ok: true, undo: before.length > 0 ? undoOf(action, before) : null };
  } catch (error) {
    return failure(error);
  }
}

/** Puts issues back to how they were before an action. */
export async function undoTriage(input: {
  organizationSlug: string;
  restoration: IssueRestoration;
}): Promise<TriageResult> {
  const { organizationSlug, restoration } = UNDO_INPUT.parse(input);
  const ctx = await getRequestContext(organizationSlug);
  try {
    await restoreIssues(ctx, restoration);
    revalidatePath(`/${organizationSlug}`, 'layout');
    return { ok: true, undo: null };
  } catch (error) {
    return failure(error);
  }
}

/** Releases that issues of the projects can be resolved in, and the newest one. */
export async function findReleases(input: {
  organizationSlug: string;
  projectIds: readonly number[];
  search: string;
}): Promise<{ releases: readonly ReleaseSummary[]; newest: string | null }> {
  const { organizationSlug, projectIds, search } = RELEASES_INPUT.parse(input);
  return listProjectReleases(await getRequestContext(organizationSlug), projectIds, search);
}

function failure(error: unknown): TriageResult {
  if (isErrataError(error)) return { ok: false, message: error.message };
  throw error;
}

type SavedSearchResult = { ok: true } | { ok: false; message: string };

const organizationSlug = z.string().max(50);
const query = z.string().max(QUERY_CHARACTERS_MAX);
const SAVE_INPUT = z.object({
  organizationSlug,
  name: z.string().max(200),
  query,
  sort: z.enum(['date', 'new', 'freq']),
  isShared: z.boolean(),
});
const DELETE_INPUT = z.object({ organizationSlug, searchId: z.number().int().positive() });

export async function saveSearch(input: {
  organizationSlug: string;
  name: string;
  query: string;
  sort: 'date' | 'new' | 'freq';
  isShared: boolean;
}): Promise<SavedSearchResult> {
  const { organizationSlug: slug, ...search } = SAVE_INPUT.parse(input);
  return await changing(slug, async () => {
    await createSavedSearch(await getRequestContext(slug), search);
  });
}

export async function deleteSearch(input: {
  organizationSlug: string;
  searchId: number;
}): Promise<SavedSearchResult> {
  const { organizationSlug: slug, searchId } = DELETE_INPUT.parse(input);
  return await changing(slug, async () => {
    await deleteSavedSearch(await getRequestContext(slug), searchId);
  });
}

async function changing(slug: string, change: () => Promise<void>): Promise<SavedSearchResult> {
  try {
    await change();
    revalidatePath(`/${slug}`, 'layout');
    return { ok: true };
  } catch (error) {
    if (isErrataError(error)) return { ok: false, message: error.message };
    throw error;
  }
}
