import { Download, SearchX } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { Pager } from '#app/[org]/cursor-pager.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { Panel } from '#app/shell/panel.tsx';
import { filterEntries, type PageRequest } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { ListedRow } from '#product/explore/rows/explored-rows.ts';
import { EXPORT_ROWS_MAX } from '#product/explore/rows/export-rows.ts';
import { listRowFields } from '#product/explore/rows/row-fields.ts';
import { hasRight } from '#product/permissions.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listSavedQueries } from '#product/saved-searches/saved-queries.ts';
import { listProjects } from '#product/visible-projects.ts';
import { buttonClass } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Page } from '#ui/page-header.tsx';
import { QuestionProblem } from '../../question/question-problem.tsx';
import { PageSearchBox } from '../../search-box/page-search-box.tsx';
import { ExploreTabs } from '../explore-tabs.tsx';
import { AddToDashboard } from './add-to-dashboard.tsx';
import { functionsFor } from './offered-functions.ts';
import { type RowsAnswer, readRows } from './read-rows.ts';
import {
  parseRowsState,
  ROWS_PAGES,
  ROWS_PER_PAGE,
  type RowsPageName,
  type RowsPlace,
  rowQuestionOf,
  rowsHref,
} from './rows-state.ts';
import { RowsSummary } from './rows-summary.tsx';
import { RowGroups, RowSamples } from './rows-tables.tsx';
import { RowsShape } from './rows-toolbar.tsx';
import { SavedQueries } from './saved-queries.tsx';
import { viewOf } from './saved-state.ts';
import { selectedRange } from './selected-range.ts';
import { SelectionCard, SelectionSkeleton } from './selection-card.tsx';

/** A list of rows that is no table: the fields that its rows are read with, for chosen columns, and what shows them. */
export type RowsList = {
  fields: (columns: readonly string[]) => readonly string[];
  show: (rows: readonly ListedRow[], place: RowsPlace) => ReactNode;
};

/** Ad-hoc questions over the rows of one dataset. */
export async function RowsPage({
  page,
  request: { params, searchParams },
  placeholder,
  empty,
  list,
}: {
  page: RowsPageName;
  request: PageRequest<'org'>;
  placeholder: string;
  /** What to do so that there are rows. */
  empty: string;
  list?: RowsList;
}) {
  const { org } = await params;
  const requested = parseRowsState(page, await searchParams);
  const ctx = await getRequestContext(org);
  const question = await rowQuestionOf(ctx, requested);
  const { projectSlugs, range } = question;
  const state = { ...requested, filters: { ...requested.filters, projects: projectSlugs } };
  const { dataset } = ROWS_PAGES[page];
  const [answer, projects, environments, fields, saved] = await Promise.all([
    readRows(ctx, question, state, list?.fields(state.fields) ?? state.fields),
    listProjects(ctx),
    listEnvironments(ctx, projectSlugs),
    orUnavailable(listRowFields(ctx, { dataset, projectSlugs, range })),
    listSavedQueries(ctx),
  ]);
  const place = { organizationSlug: org, state };
  const known = fields.ok ? fields.value : [];
  const canWrite = hasRight(ctx.actor, 'event:write');
  const invalid = answer.kind === 'invalid' ? answer : null;
  const isQueryWrong = invalid?.field === 'query';
  const selection = 'summary' in answer ? selectedRange(state.selection, answer.summary.chart) : null;
  return (
    <Page title={`Explore ${page}`} description="Search and aggregate what your projects have sent.">
      <ExploreTabs organizationSlug={org} current={page} entries={filterEntries(state.filters)} />
      <PageFilters
        filters={state.filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
        trailing={
          <span className="flex flex-wrap gap-2">
            {canWrite ? <AddToDashboard place={place} /> : null}
            <a
              href={rowsHref(place, {}, '/csv')}
              download
              title={`At most ${formatExact(EXPORT_ROWS_MAX)} rows`}
              className={buttonClass({})}
            >
              <Download aria-hidden className="size-4" />
              CSV
            </a>
          </span>
        }
      />
      <PageSearchBox
        organizationSlug={org}
        filters={state.filters}
        subject={dataset === 'errors' ? 'events' : dataset}
        query={state.query}
        usual={ROWS_PAGES[page].query}
        placeholder={placeholder}
        error={invalid && isQueryWrong ? invalid.message : null}
        trailing={
          <SavedQueries place={place} queries={saved.map((each) => viewOf(ctx, each))} canShare={canWrite} />
        }
      />
      {'summary' in answer ? (
        <RowsSummary
          place={place}
          summary={answer.summary}
          selection={selection}
          titles={answer.kind === 'groups' ? answer.table.issueTitles : new Map()}
          unit={`${ROWS_PAGES[page].one}s`}
          now={ctx.now()}
        />
      ) : null}
      {selection ? (
        <Suspense key={JSON.stringify(selection)} fallback={<SelectionSkeleton place={place} />}>
          <SelectionCard ctx={ctx} place={place} question={question} selection={selection} />
        </Suspense>
      ) : null}
      <RowsShape
        place={place}
        names={known.map(({ name }) => name)}
        functions={functionsFor(dataset, known)}
        error={invalid && !isQueryWrong ? invalid.message : null}
      />
      <Panel>
        <Answer answer={answer} place={place} now={ctx.now()} empty={empty} list={list} />
      </Panel>
      <RowsPager answer={answer} place={place} />
    </Page>
  );
}

function Answer({
  answer,
  place,
  now,
  empty,
  list,
}: {
  answer: RowsAnswer;
  place: RowsPlace;
  now: number;
  empty: string;
  list?: RowsList;
}) {
  switch (answer.kind) {
    case 'unavailable':
    case 'invalid':
      return <QuestionProblem problem={answer} isSaidAbove />;
    case 'samples':
      if (list) return list.show(answer.rows, place);
      return answer.rows.length === 0 ? (
        <NoMatches place={place} empty={empty} />
      ) : (
        <RowSamples place={place} rows={answer.rows} now={now} />
      );
    case 'groups':
      return answer.table.groups.length === 0 ? (
        <NoMatches place={place} empty={empty} />
      ) : (
        <RowGroups place={place} table={answer.table} totals={answer.summary.totals} now={now} />
      );
  }
}

function NoMatches({ place, empty }: { place: RowsPlace; empty: string }) {
  const { state } = place;
  const filters = { projects: [], environments: [], time: { kind: 'last', period: '90d' } } as const;
  return (
    <EmptyState
      icon={<SearchX />}
      title={`No ${ROWS_PAGES[state.page].one}s match`}
      actions={
        <>
          <ButtonLink href={rowsHref(place, { filters })}>Search the last 90 days</ButtonLink>
          {state.query ? <ButtonLink href={rowsHref(place, { query: '' })}>Clear search</ButtonLink> : null}
        </>
      }
    >
      {empty}
    </EmptyState>
  );
}

function RowsPager({ answer, place }: { answer: RowsAnswer; place: RowsPlace }) {
  const { state } = place;
  const isFirst = state.view === 'samples' ? state.cursor === null : state.offset === 0;
  const next =
    answer.kind === 'samples' && answer.nextCursor !== null
      ? { cursor: answer.nextCursor }
      : answer.kind === 'groups' && answer.table.hasMore
        ? { offset: state.offset + ROWS_PER_PAGE }
        : null;
  return (
    <Pager
      firstHref={isFirst ? null : rowsHref(place)}
      nextHref={next && rowsHref(place, next)}
      labels={{ first: 'First page', next: 'Next page' }}
    >
      {answer.kind === 'groups' && answer.table.distinct > 0 ? (
        <span className="numbers mr-auto text-text-muted text-xs">
          {formatExact(state.offset + 1)}–{formatExact(state.offset + answer.table.groups.length)} of{' '}
          {formatExact(answer.table.distinct)} groups
        </span>
      ) : null}
    </Pager>
  );
}
