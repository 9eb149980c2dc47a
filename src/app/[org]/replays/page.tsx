import { MonitorPlay, SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError, Panel } from '#app/shell/panel.tsx';
import { type PageRequest, timeBounds } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listReplays, REPLAY_SEARCH_CHARACTERS_MAX } from '#product/replays/replays.ts';
import { listProjects } from '#product/visible-projects.ts';
import { REPLAY_SORTS } from '#storage/ports/telemetry.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { ListChoices } from './list-choices.tsx';
import { ReplayTable } from './replay-table.tsx';
import {
  filterOf,
  LENGTHS,
  parseReplaysState,
  type ReplaysState,
  replaysHref,
  WITH,
  type With,
} from './replays-state.ts';

export const metadata: Metadata = { title: 'Replays' };

const PAGE_REPLAYS = 25;

const LABELS: Readonly<Record<With, string>> = {
  all: 'All',
  errors: 'With errors',
  rageClicks: 'Rage clicks',
  deadClicks: 'Dead clicks',
};

/** Recordings of what people saw and did. */
export default async function ReplaysPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = parseReplaysState(await searchParams);
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const known = requested.filters.projects.filter((slug) =>
    projects.some((project) => project.slug === slug),
  );
  const state: ReplaysState = {
    ...requested,
    search: requested.search.slice(0, REPLAY_SEARCH_CHARACTERS_MAX),
    filters: { ...requested.filters, projects: known },
  };
  const [page, environments] = await Promise.all([
    orUnavailable(
      readListPage(state.cursor, (cursor) =>
        listReplays(ctx, {
          projectSlugs: known,
          range: timeBounds(state.filters.time, ctx.now()),
          filter: filterOf(state),
          sort: state.sort,
          limit: PAGE_REPLAYS,
          cursor,
        }),
      ),
    ),
    listEnvironments(ctx, known),
  ]);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  const hrefs = <Key extends string, Field extends keyof ReplaysState>(keys: readonly Key[], field: Field) =>
    Object.fromEntries(keys.map((key) => [key, replaysHref(org, state, { [field]: key })])) as Record<
      Key,
      string
    >;
  return (
    <Page title="Replays" description="Recordings of what people saw and did in your apps.">
      <PageFilters
        filters={state.filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
      />
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ListSearch
          label="Search replays"
          placeholder="Search by user, URL, browser, or ID"
          query={state.search}
        />
        <TabLinks
          label="Replay lists"
          tabs={WITH.map((having) => ({
            href: replaysHref(org, state, { having }),
            label: LABELS[having],
            isCurrent: state.having === having,
          }))}
        />
        <ListChoices
          sort={state.sort}
          minutesMin={state.minutesMin}
          hrefs={{ sorts: hrefs(REPLAY_SORTS, 'sort'), lengths: hrefs(LENGTHS, 'minutesMin') }}
        />
      </div>
      {!page.ok ? (
        <LoadError what="replays">{page.reason}</LoadError>
      ) : (
        <Panel>
          {page.value.rows.length === 0 ? (
            <ReplaysEmpty organizationSlug={org} state={state} />
          ) : (
            <ReplayTable
              organizationSlug={org}
              replays={page.value.rows}
              slugOf={(projectId) => slugs.get(projectId) ?? ''}
              now={ctx.now()}
            />
          )}
        </Panel>
      )}
      <CursorPager
        hrefOf={(cursor) => replaysHref(org, state, { cursor })}
        cursor={state.cursor}
        nextCursor={page.ok ? page.value.nextCursor : null}
      />
    </Page>
  );
}

const SETUP = `Sentry.init({
  // …
  integrations: [Sentry.replayIntegration()],
  replaysSessionSampleRate: 0.1, // all sessions
  replaysOnErrorSampleRate: 1.0, // with an error
});`;

/** Why the list is empty: nothing matches, or no SDK records. */
function ReplaysEmpty({ organizationSlug, state }: { organizationSlug: string; state: ReplaysState }) {
  const { filters, search, having, minutesMin } = state;
  const isNarrowed =
    search !== '' || having !== 'all' || minutesMin !== '0' || filters.environments.length > 0;
  if (isNarrowed) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No matching replays"
        actions={
          <ButtonLink
            href={replaysHref(organizationSlug, state, {
              search: '',
              having: 'all',
              minutesMin: '0',
              filters: { ...filters, projects: [], environments: [] },
            })}
          >
            Show all replays
          </ButtonLink>
        }
      >
        Search finds parts of URLs, users, and browser names. Check the projects, environments, and time
        range, too.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<MonitorPlay />} title="No replays in this time range">
      <p className="mb-3">
        Turn on replays in your browser SDK: add the replay integration and choose how many sessions to
        record. Text and inputs are masked unless you say otherwise.
      </p>
      <div className="text-left">
        <CodeBlock text={SETUP} label="SDK setup" />
      </div>
    </EmptyState>
  );
}
