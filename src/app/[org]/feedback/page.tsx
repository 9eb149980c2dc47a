import { Inbox, SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError, Panel } from '#app/shell/panel.tsx';
import { type PageRequest, timeBounds } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { type IssueList, listIssues } from '#product/issues/list-issues.ts';
import { hasRight } from '#product/permissions.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listProjects } from '#product/visible-projects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { FeedbackRows } from './feedback-rows.tsx';
import {
  type FeedbackState,
  feedbackHref,
  MAILBOXES,
  type Mailbox,
  parseFeedbackState,
  queryOf,
} from './feedback-state.ts';
import { feedbackRowView } from './feedback-view.ts';

export const metadata: Metadata = { title: 'Feedback' };

const PAGE_FEEDBACK = 25;

const LABELS: Readonly<Record<Mailbox, string>> = {
  unresolved: 'Unresolved',
  resolved: 'Resolved',
  spam: 'Spam',
};

/** What people wrote, each an issue of its own. */
export default async function FeedbackPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = parseFeedbackState(await searchParams);
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const known = requested.filters.projects.filter((slug) =>
    projects.some((project) => project.slug === slug),
  );
  const state = { ...requested, filters: { ...requested.filters, projects: known } };
  const [page, environments] = await Promise.all([
    orUnavailable(readFeedback(ctx, state)),
    listEnvironments(ctx, known),
  ]);
  return (
    <Page title="Feedback" description="What people who use your apps wrote to you.">
      <PageFilters
        filters={state.filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
      />
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1">
        <ListSearch
          label="Search feedback"
          placeholder="Search by word, such as checkout"
          query={state.search}
        />
        <TabLinks
          label="Feedback lists"
          tabs={(Object.keys(MAILBOXES) as Mailbox[]).map((mailbox) => ({
            href: feedbackHref(org, state, { mailbox }),
            label: LABELS[mailbox],
            isCurrent: state.mailbox === mailbox,
          }))}
        />
      </div>
      {!page.ok ? (
        <LoadError what="feedback">{page.reason}</LoadError>
      ) : 'problem' in page.value ? (
        <Panel>
          <FeedbackEmpty organizationSlug={org} state={state} problem={page.value.problem} />
        </Panel>
      ) : (
        <Panel>
          {page.value.issues.length === 0 ? (
            <FeedbackEmpty organizationSlug={org} state={state} problem={null} />
          ) : (
            <FeedbackRows
              key={feedbackHref(org, state, { cursor: state.cursor })}
              organizationSlug={org}
              mailbox={state.mailbox}
              rows={page.value.issues.map(feedbackRowView)}
              canTriage={ctx.actor.kind === 'user' && hasRight(ctx.actor, 'event:write')}
              now={ctx.now()}
            />
          )}
        </Panel>
      )}
      <CursorPager
        hrefOf={(cursor) => feedbackHref(org, state, { cursor })}
        cursor={state.cursor}
        nextCursor={page.ok && 'issues' in page.value ? page.value.nextCursor : null}
      />
    </Page>
  );
}

/** A search that cannot be read says so; a cursor that cannot (an edited address) shows the first page instead. */
async function readFeedback(ctx: Context, state: FeedbackState): Promise<IssueList | { problem: string }> {
  const ask = (cursor: string | null) =>
    listIssues(ctx, {
      query: queryOf(state),
      projectSlugs: state.filters.projects,
      environments: state.filters.environments,
      range: timeBounds(state.filters.time, ctx.now()),
      sort: 'new',
      cursor,
      limit: PAGE_FEEDBACK,
      withActivity: false,
    });
  try {
    return await ask(state.cursor);
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'invalid') throw error;
    if (error.field === 'query') return { problem: error.message };
    if (state.cursor === null) throw error;
    return await ask(null);
  }
}

/** Why the list is empty: the search is wrong, nothing matches, or no SDK sends feedback. */
function FeedbackEmpty({
  organizationSlug,
  state,
  problem,
}: {
  organizationSlug: string;
  state: FeedbackState;
  problem: string | null;
}) {
  const { filters, search, mailbox } = state;
  const isNarrowed = search !== '' || filters.environments.length > 0;
  if (problem !== null || isNarrowed) {
    return (
      <EmptyState
        icon={<SearchX />}
        title={problem === null ? 'No matching feedback' : 'This search can’t be read'}
        actions={
          <ButtonLink
            href={feedbackHref(organizationSlug, state, {
              search: '',
              filters: { ...filters, projects: [], environments: [] },
            })}
          >
            Show all feedback
          </ButtonLink>
        }
      >
        {problem ??
          'Search finds words of the message. Check the projects, environments, and time range, too.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Inbox />} title={EMPTY[mailbox].title}>
      {EMPTY[mailbox].text}
    </EmptyState>
  );
}

const EMPTY: Readonly<Record<Mailbox, { title: string; text: string }>> = {
  unresolved: {
    title: 'No unresolved feedback',
    text: 'Feedback appears here when people use the feedback widget or the crash report dialog of your SDK. Check the time range if you expected some.',
  },
  resolved: { title: 'No resolved feedback', text: 'Feedback that you resolve is listed here.' },
  spam: { title: 'No spam', text: 'Feedback that you mark as spam is listed here. You can move it back.' },
};
