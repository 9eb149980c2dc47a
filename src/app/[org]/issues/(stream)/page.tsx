import { FolderPlus } from 'lucide-react';
import type { Metadata } from 'next';
import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { countIssueTabs } from '#product/issues/count-issue-tabs.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { hasRight } from '#product/permissions.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { mayChange } from '#product/saved-searches/own-searches.ts';
import { listSavedSearches } from '#product/saved-searches/saved-searches.ts';
import { eventPartOf } from '#product/search/event-part.ts';
import { explainNothing } from '#product/search/explain-nothing.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { getRequestContext } from '../../../request-context.ts';
import { PageInOnePiece } from '../../../shell/page-in-one-piece.tsx';
import { type PageRequest, timeBounds } from '../../../url-state.ts';
import { issueRowView } from '../issue-view.ts';
import { parseStreamState } from '../stream-url.ts';
import { IssueStream } from './issue-stream.tsx';
import type { StreamContent } from './stream-content.ts';
import { StreamSkeleton } from './stream-skeleton.tsx';

export const metadata: Metadata = { title: 'Issues' };

/** As many as in Sentry; a screen holds about fifteen. */
const PAGE_ISSUES = 25;

export default function IssuesPage(request: PageRequest<'org'>) {
  return <PageInOnePiece content={renderStream(request)} skeleton={<StreamSkeleton />} />;
}

async function renderStream({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const state = parseStreamState(await searchParams);
  const ctx = await getRequestContext(org);
  const now = ctx.now();
  const range = timeBounds(state.time, now);
  const projects = await listProjects(ctx);
  if (projects.every((project) => project.isInternal) && !state.projects.length) {
    return <NoProjects organizationSlug={org} canCreate={hasRight(ctx.actor, 'project:write')} />;
  }

  const known = state.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const [content, counts, savedSearches, environments] = await Promise.all([
    readContent(),
    countIssueTabs(ctx, { projectSlugs: known, environments: state.environments, range }),
    listSavedSearches(ctx),
    listEnvironments(ctx, known),
  ]);
  return (
    <IssueStream
      organizationSlug={org}
      state={{ ...state, projects: known }}
      projects={projects.map(({ id, slug, name, platform, firstEventAt, isInternal }) => ({
        id,
        slug,
        name,
        platform,
        hasEvents: firstEventAt !== null,
        isInternal,
      }))}
      environments={environments}
      counts={counts}
      savedSearches={savedSearches.map((search) => {
        const { id, name, query, sort, isShared } = search;
        return { id, name, query, sort, isShared, canChange: mayChange(ctx, search) };
      })}
      canShareSearches={hasRight(ctx.actor, 'event:write')}
      content={content}
      now={now}
      user={ctx.actor.kind === 'user' ? { userId: ctx.actor.userId, name: ctx.actor.name } : null}
      canTriage={hasRight(ctx.actor, 'event:write')}
    />
  );

  async function readContent(): Promise<StreamContent> {
    try {
      const page = await orUnavailable(
        listIssues(ctx, {
          query: state.query,
          projectSlugs: known,
          environments: state.environments,
          sort: state.sort,
          range,
          cursor: state.cursor,
          limit: PAGE_ISSUES,
        }),
      );
      if (!page.ok) return { kind: 'unavailable', message: page.reason };
      return {
        kind: 'issues',
        rows: page.value.issues.map((issue) => issueRowView(issue, page.value.isFiltered)),
        eventQuery: eventPartOf(state.query),
        previousCursor: page.value.previousCursor,
        ranked: page.value.ranked,
        isFiltered: page.value.isFiltered,
        nextCursor: page.value.nextCursor,
        bucketMs: page.value.bucketMs,
        isCut: page.value.isCut,
        hint:
          page.value.issues.length === 0 && !state.cursor
            ? await explainNothing(ctx, { query: state.query, projectSlugs: known })
            : null,
      };
    } catch (error) {
      if (isErrataError(error) && error.code === 'invalid') {
        return { kind: 'invalid', message: error.message };
      }
      throw error;
    }
  }
}

/** The stream before there is anything that could send. */
function NoProjects({ organizationSlug, canCreate }: { organizationSlug: string; canCreate: boolean }) {
  return (
    <>
      <h1 className="sr-only">Issues</h1>
      <EmptyState
        icon={<FolderPlus />}
        title="No projects yet"
        actions={
          canCreate ? (
            <ButtonLink variant="primary" href={`/${organizationSlug}/projects/new`}>
              Create project
            </ButtonLink>
          ) : null
        }
      >
        {canCreate
          ? 'A project is an app or service that reports errors to Errata. Create one to get the DSN for its SDK.'
          : 'A project is an app or service that reports errors to Errata. Ask an organization admin to create one.'}
      </EmptyState>
    </>
  );
}
