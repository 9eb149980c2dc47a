import type { MergedPlace } from '#app/[org]/profile-href.ts';
import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest, parsePageFilters, timeBounds } from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import type { MergeQuestion } from '#product/profiles/open-merged-profile.ts';
import { getProject } from '#product/visible-projects.ts';

/** What a page of many profiles is asked for. */
export type MergedRequest = {
  ctx: Context;
  place: MergedPlace;
  question: Omit<MergeQuestion, 'release'>;
  /** A parameter of the address; null when it is absent or empty. */
  chosen: (name: string) => string | null;
};

/** Answers 404 for a project that is not visible. */
export async function readMergedRequest({
  params,
  searchParams,
}: PageRequest<'org' | 'project'>): Promise<MergedRequest> {
  const [{ org, project: slug }, search] = [await params, await searchParams];
  const ctx = await getRequestContext(org);
  const project = await orNotFound(getProject(ctx, slug));
  const filters = { ...parsePageFilters(search), projects: [] };
  const chosen = (name: string) => firstValue(search, name) || null;
  const transaction = chosen('transaction');
  return {
    ctx,
    place: { organizationSlug: org, projectSlug: project.slug, transaction, filters },
    question: {
      projectSlug: project.slug,
      transaction,
      environments: filters.environments,
      range: timeBounds(filters.time, ctx.now()),
    },
    chosen,
  };
}
