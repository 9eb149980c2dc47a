'use client';

import { DatabaseZap } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useOptimistic, useRef, useTransition } from 'react';
import { CursorPager } from '#app/[org]/cursor-pager.tsx';
import { LiveCue, useLiveChanges } from '#app/live/use-live-changes.tsx';
import type { IssueTab } from '#product/issues/count-issue-tabs.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatExact } from '#ui/format-number.ts';
import { onDemand, useOnDemand } from '#ui/on-demand/on-demand.ts';
import { ReloadButton } from '#ui/reload-button.tsx';
import { PageFilters } from '../../../shell/page-filters.tsx';
import { filterEntries, withQuery } from '../../../url-state.ts';
import { SearchBox } from '../../search-box/search-box.tsx';
import type { IssueRowView } from '../issue-view.ts';
import { QUERY_DEFAULT, type StreamState, streamHref } from '../stream-url.ts';
import { applyChange, leavesList, type ShownChange, type TriageAction } from '../triage.ts';
import { useSelection } from '../use-selection.tsx';
import { useTriage } from '../use-triage.ts';
import { keepVisitedList } from '../visited-list.ts';
import { IssueRow } from './issue-row.tsx';
import { SavedSearches } from './saved-searches.tsx';
import type { SavedSearchView, StreamContent, StreamProject } from './stream-content.ts';
import { StreamEmpty } from './stream-empty.tsx';
import { StreamHeader, StreamTabs } from './stream-header.tsx';
import { useStreamKeys } from './use-stream-keys.ts';

const bulkBar = onDemand(() => import('./bulk-bar.tsx'));

type Optimistic = { change: ShownChange; issueIds: readonly number[] };

/** The list of issues with everything that can be done to it. */
export function IssueStream({
  organizationSlug,
  state,
  projects,
  environments,
  counts,
  savedSearches,
  canShareSearches,
  content,
  now,
  user,
  canTriage,
}: {
  organizationSlug: string;
  state: StreamState;
  projects: readonly StreamProject[];
  environments: readonly string[];
  counts: Record<IssueTab, number>;
  savedSearches: readonly SavedSearchView[];
  canShareSearches: boolean;
  content: StreamContent;
  now: number;
  user: { userId: string; name: string } | null;
  canTriage: boolean;
}) {
  const router = useRouter();
  const [isNavigating, startNavigation] = useTransition();
  const { selected, setSelected, toggle, clear } = useSelection<number>();
  const searchRef = useRef<HTMLInputElement>(null);
  const serverRows = content.kind === 'issues' ? content.rows : NO_ROWS;
  const [rows, showOptimistic] = useOptimistic(serverRows, (current, { change, issueIds }: Optimistic) =>
    user ? current.map((row) => (issueIds.includes(row.id) ? applyChange(row, change, user) : row)) : current,
  );
  const { triage } = useTriage({
    organizationSlug,
    onOptimistic: (change, issueIds) => showOptimistic({ change, issueIds }),
  });

  const watched = state.projects.length
    ? projects.filter((project) => state.projects.includes(project.slug)).map((project) => project.id)
    : null;
  const live = useLiveChanges({
    orgSlug: organizationSlug,
    projectIds: watched,
    onChange: () => startNavigation(() => router.refresh()),
  });

  const isLeaving = (row: IssueRowView) =>
    leavesList(state.query, row) &&
    !serverRows.some((each) => each.id === row.id && each.status === row.status);
  const staying = rows.filter((row) => !isLeaving(row));
  const chosen = staying.filter((row) => selected.has(row.id));

  const bulk = useOnDemand(bulkBar, chosen.length > 0);

  function go(change: Partial<StreamState>) {
    startNavigation(() => router.push(streamHref(organizationSlug, state, change), { scroll: false }));
  }

  function act(action: TriageAction, targets: readonly IssueRowView[]) {
    if (!canTriage || targets.length === 0) return;
    triage(action, targets);
    clear();
  }

  useStreamKeys({
    rows: staying,
    chosen,
    canTriage,
    searchRef,
    onToggle: (issueId) => toggle(issueId),
    onClear: selected.size > 0 ? clear : null,
    onAct: act,
  });

  const hrefOf = (row: IssueRowView) =>
    withQuery(`/${organizationSlug}/issues/${row.shortId}`, {
      ...filterEntries(state),
      query: (content.kind === 'issues' && content.eventQuery) || null,
    });
  useEffect(() => {
    if (content.kind !== 'issues') return;
    keepVisitedList(organizationSlug, {
      href: streamHref(organizationSlug, state, { cursor: state.cursor }),
      issues: content.rows.map((row) => ({ shortId: row.shortId, href: hrefOf(row) })),
      hasNext: content.nextCursor !== null,
    });
  });

  const isPartial = serverRows.some((row) => row.activity === null);
  return (
    <div className="w-full px-4 pt-4 pb-24 sm:px-6">
      <h1 className="sr-only">Issues</h1>
      <PageFilters
        filters={state}
        projects={projects}
        environments={environments}
        trailing={<LiveCue state={live} />}
      />
      <SearchBox
        // A new search from elsewhere (a tab, a link) replaces what stands in the box.
        key={state.query}
        organizationSlug={organizationSlug}
        filters={state}
        subject="issues"
        query={state.query}
        clearedQuery={QUERY_DEFAULT}
        placeholder="Search issues: is:unresolved browser.name:Firefox text"
        onSearch={(query) => go({ query })}
        trailing={
          <SavedSearches
            organizationSlug={organizationSlug}
            state={state}
            searches={savedSearches}
            canShare={canShareSearches}
            onChoose={({ query, sort }) => go({ query, sort })}
          />
        }
        error={content.kind === 'invalid' ? content.message : null}
        inputRef={searchRef}
      />
      <StreamTabs organizationSlug={organizationSlug} state={state} counts={counts} onChange={go} />
      <section
        aria-label="Issues"
        aria-busy={isNavigating}
        className="rounded-b-lg border border-t-0 bg-surface-raised"
      >
        {content.kind === 'issues' && rows.length > 0 ? (
          <>
            <StreamHeader
              rows={staying}
              selected={selected}
              bucketMs={content.bucketMs}
              time={state.time}
              isPartial={isPartial}
              isFiltered={content.isFiltered}
              isWhole={content.nextCursor === null && content.previousCursor === null}
              canTriage={canTriage}
              onSelect={setSelected}
            />
            <ul>
              {rows.map((row) => (
                <IssueRow
                  key={row.id}
                  href={hrefOf(row)}
                  row={row}
                  bucketMs={content.bucketMs}
                  isSelected={selected.has(row.id)}
                  isLeaving={isLeaving(row)}
                  canTriage={canTriage}
                  now={now}
                  onToggle={(range) => toggle(row.id, { range, keys: staying.map(({ id }) => id) })}
                />
              ))}
            </ul>
          </>
        ) : content.kind === 'unavailable' ? (
          <EmptyState
            icon={<DatabaseZap />}
            tone="danger"
            title="Couldn’t load issues"
            actions={<ReloadButton />}
          >
            A database is unavailable. No data is lost: events are still being accepted. ({content.message})
          </EmptyState>
        ) : (
          <StreamEmpty
            organizationSlug={organizationSlug}
            state={state}
            projects={projects}
            isInvalid={content.kind === 'invalid'}
            hint={content.kind === 'issues' ? content.hint : null}
          />
        )}
      </section>
      {content.kind === 'issues' && content.isCut ? (
        <p className="mt-3 text-sm text-text-muted">
          More than 20,000 groups of events match this search. Results include only the most recent ones.
          Shorten the time range or narrow the search to see the rest.
        </p>
      ) : null}
      {content.kind === 'issues' && content.ranked !== null ? (
        <p className="mt-3 text-sm text-text-muted">
          Sorted among {formatExact(content.ranked)} issues. Narrow the search to sort the others as well.
        </p>
      ) : null}
      <CursorPager
        hrefOf={(cursor) => streamHref(organizationSlug, state, { cursor })}
        cursor={state.cursor}
        nextCursor={content.kind === 'issues' ? content.nextCursor : null}
        previousCursor={content.kind === 'issues' ? content.previousCursor : null}
      />
      {bulk && chosen.length > 0 ? (
        <bulk.BulkBar
          organizationSlug={organizationSlug}
          rows={chosen}
          onAct={(action) => act(action, chosen)}
          onClear={clear}
        />
      ) : null}
    </div>
  );
}

const NO_ROWS: readonly IssueRowView[] = [];
