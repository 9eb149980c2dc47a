'use client';

import { DatabaseZap } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useOptimistic, useRef, useState, useTransition } from 'react';
import type { IssueTab } from '#product/issues/count-issue-tabs.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { isTyping } from '../../../frame/is-typing.ts';
import { LiveCue } from '../../../live/live-cue.tsx';
import { useLiveChanges } from '../../../live/use-live-changes.ts';
import type { IssueRowView } from '../issue-view.ts';
import { errorPosition, type StreamState, streamHref } from '../stream-url.ts';
import {
  ARCHIVE_UNTIL_ESCALATING,
  applyTriage,
  leavesList,
  RESOLVE_NOW,
  type TriageAction,
} from '../triage.ts';
import { useTriage } from '../use-triage.ts';
import { BulkBar } from './bulk-bar.tsx';
import { IssueRow } from './issue-row.tsx';
import { focusedRowId, focusRow } from './row-focus.ts';
import { SavedSearches } from './saved-searches.tsx';
import { SearchBox } from './search-box.tsx';
import type { SavedSearchView, StreamContent, StreamProject } from './stream-content.ts';
import { StreamEmpty } from './stream-empty.tsx';
import { StreamFilters } from './stream-filters.tsx';
import { StreamHeader } from './stream-header.tsx';
import { StreamPager } from './stream-pager.tsx';
import { StreamTabs } from './stream-tabs.tsx';

type Optimistic = { action: TriageAction; issueIds: readonly number[] };

/** The list of issues with everything that can be done to it. */
export function IssueStream({
  organizationSlug,
  state,
  projects,
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
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const searchRef = useRef<HTMLInputElement>(null);
  const serverRows = content.kind === 'issues' ? content.rows : NO_ROWS;
  const [rows, showOptimistic] = useOptimistic(serverRows, (current, { action, issueIds }: Optimistic) =>
    user ? current.map((row) => (issueIds.includes(row.id) ? applyTriage(row, action, user) : row)) : current,
  );
  const { triage } = useTriage({
    organizationSlug,
    onOptimistic: (action, issueIds) => showOptimistic({ action, issueIds }),
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

  function go(change: Partial<StreamState>) {
    startNavigation(() => router.push(streamHref(organizationSlug, state, change), { scroll: false }));
  }

  function toggle(id: number) {
    setSelected((current) => {
      const next = new Set(current);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }

  function act(action: TriageAction, targets: readonly IssueRowView[]) {
    if (!canTriage || targets.length === 0) return;
    triage(action, targets);
    setSelected(new Set());
  }

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (isTyping(event)) return;
      const ids = staying.map((row) => row.id);
      const focused = focusedRowId();
      const at = focused === null ? -1 : ids.indexOf(focused);
      const target = staying[at];
      const targets = chosen.length > 0 ? chosen : target ? [target] : [];
      switch (event.key) {
        case 'j':
          focusRow(ids[Math.min(at + 1, ids.length - 1)]);
          break;
        case 'k':
          focusRow(ids[Math.max(at - 1, 0)]);
          break;
        case 'x':
          if (target) toggle(target.id);
          break;
        case 'e':
        case 'a':
          if (targets.length === 0) return;
          // The row goes away: the next one takes the focus, so that the same key goes on from there.
          if (chosen.length === 0) focusRow(ids[at + 1] ?? ids[at - 1]);
          act(event.key === 'e' ? RESOLVE_NOW : ARCHIVE_UNTIL_ESCALATING, targets);
          break;
        case '/':
          searchRef.current?.focus();
          searchRef.current?.select();
          break;
        case 'Escape':
          setSelected(new Set());
          break;
        default:
          return;
      }
      event.preventDefault();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });

  const isPartial = serverRows.some((row) => row.activity === null);
  return (
    <div className="mx-auto w-full max-w-[1440px] px-4 pt-4 pb-24 sm:px-6">
      <h1 className="sr-only">Issues</h1>
      <StreamFilters state={state} projects={projects} onChange={go} live={<LiveCue state={live} />} />
      <SearchBox
        // A new search from elsewhere (a tab, a link) replaces what stands in the box.
        key={state.query}
        organizationSlug={organizationSlug}
        projectSlugs={state.projects}
        query={state.query}
        onSearch={(query) => go({ query })}
        savedSearches={
          <SavedSearches
            organizationSlug={organizationSlug}
            state={state}
            searches={savedSearches}
            canShare={canShareSearches}
            onChoose={({ query, sort }) => go({ query, sort })}
          />
        }
        error={content.kind === 'invalid' ? content.message : null}
        errorAt={content.kind === 'invalid' ? errorPosition(content.message) : null}
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
              range={state.range}
              isPartial={isPartial}
              canTriage={canTriage}
              onSelect={setSelected}
            />
            <ul>
              {rows.map((row) => (
                <IssueRow
                  key={row.id}
                  organizationSlug={organizationSlug}
                  row={row}
                  bucketMs={content.bucketMs}
                  isSelected={selected.has(row.id)}
                  isLeaving={isLeaving(row)}
                  canTriage={canTriage}
                  now={now}
                  onToggle={() => toggle(row.id)}
                />
              ))}
            </ul>
          </>
        ) : content.kind === 'unavailable' ? (
          <EmptyState
            icon={<DatabaseZap />}
            tone="danger"
            title="A store does not answer"
            actions={<ReloadButton />}
          >
            The issues cannot be listed now. Nothing is lost: events go on arriving. ({content.message})
          </EmptyState>
        ) : (
          <StreamEmpty
            organizationSlug={organizationSlug}
            state={state}
            projects={projects}
            isInvalid={content.kind === 'invalid'}
          />
        )}
      </section>
      {content.kind === 'issues' && content.isCut ? (
        <p className="mt-3 text-sm text-text-muted">
          More than 20,000 groups of events match what the search asks of events. Only those seen last are
          looked at: a shorter time or a narrower search shows the rest.
        </p>
      ) : null}
      <StreamPager
        organizationSlug={organizationSlug}
        state={state}
        nextCursor={content.kind === 'issues' ? content.nextCursor : null}
      />
      {chosen.length > 0 ? (
        <BulkBar
          organizationSlug={organizationSlug}
          rows={chosen}
          onAct={(action) => act(action, chosen)}
          onClear={() => setSelected(new Set())}
        />
      ) : null}
    </div>
  );
}

const NO_ROWS: readonly IssueRowView[] = [];
