'use client';

import { ArrowDownWideNarrow } from 'lucide-react';
import { ISSUE_TABS, type IssueTab, TAB_COUNT_MAX } from '#product/issues/count-issue-tabs.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { formatDuration } from '#ui/format-time.ts';
import { Select } from '#ui/select.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { periodLabel, type TimeRange } from '../../../url-state.ts';
import type { IssueRowView } from '../issue-view.ts';
import { currentTab, SORT_LABELS, type StreamState, streamHref } from '../stream-url.ts';

/** Names of the columns, and the box that selects all rows of the page. */
export function StreamHeader({
  rows,
  selected,
  bucketMs,
  time,
  isPartial,
  isFiltered,
  isWhole,
  canTriage,
  onSelect,
}: {
  rows: readonly IssueRowView[];
  selected: ReadonlySet<number>;
  bucketMs: number;
  time: TimeRange;
  isPartial: boolean;
  /** Whether counts are of a part of the events. */
  isFiltered: boolean;
  /** Whether the list has no other page. */
  isWhole: boolean;
  canTriage: boolean;
  onSelect: (selected: ReadonlySet<number>) => void;
}) {
  const count = rows.filter((row) => selected.has(row.id)).length;
  const period = periodLabel(time) ?? 'Selected time range';
  const isAll = count > 0 && count === rows.length;
  return (
    <div className="grid h-9 grid-cols-[auto_minmax(0,1fr)_auto] items-center border-b bg-surface-sunken pr-3 text-text-muted text-xs sm:pr-4">
      <label
        htmlFor="select-all"
        className={`grid self-stretch place-items-center px-3 sm:px-4 ${canTriage ? '' : 'invisible'}`}
      >
        <Checkbox
          id="select-all"
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={() => onSelect(isAll ? new Set() : new Set(rows.map((row) => row.id)))}
        />
        <span className="sr-only">Select all issues on this page</span>
      </label>
      <span className="truncate">
        {isPartial ? (
          <span className="text-warning">
            The event store is unavailable: counts are totals, and charts and users are missing.
          </span>
        ) : (
          <>
            <span className="numbers">{formatPlural(rows.length, 'issue')}</span>
            {isWhole ? '' : ' on this page'}
            {isFiltered ? '. Counts are of the events that match.' : ''}
          </>
        )}
      </span>
      <div aria-hidden className="flex items-center pl-3 text-right">
        <span
          className="hidden w-40 px-3 text-left lg:block"
          title={`${period}, ${formatDuration(bucketMs)} per bar; the number is the tallest bar`}
        >
          {period}
        </span>
        <span className="w-14">Events</span>
        <span className="hidden w-14 sm:block">Users</span>
        <span className="w-11 sm:w-14">Last</span>
        <span className="hidden w-14 xl:block">Age</span>
        <span className="hidden w-18 sm:block" />
      </div>
    </div>
  );
}

const TAB_LABELS: Record<IssueTab, string> = {
  unresolved: 'Unresolved',
  forYou: 'Assigned to me',
  regressed: 'Regressed',
  escalating: 'Escalating',
  archived: 'Archived',
};

const SORTS = Object.keys(SORT_LABELS) as (keyof typeof SORT_LABELS)[];
const SORT_OPTIONS = SORTS.map((value) => ({ value, label: SORT_LABELS[value] }));

/** The usual searches with how much each would find, and the order. */
export function StreamTabs({
  organizationSlug,
  state,
  counts,
  onChange,
}: {
  organizationSlug: string;
  state: StreamState;
  counts: Record<IssueTab, number>;
  onChange: (change: Partial<StreamState>) => void;
}) {
  const current = currentTab(state.query);
  const tabs = (Object.keys(TAB_LABELS) as IssueTab[]).map((tab) => ({
    href: streamHref(organizationSlug, state, { query: ISSUE_TABS[tab] }),
    label: TAB_LABELS[tab],
    count: counts[tab] >= TAB_COUNT_MAX ? '999+' : String(counts[tab]),
    isCurrent: tab === current,
  }));
  return (
    <div className="flex items-center justify-between gap-3 rounded-t-lg border bg-surface-raised px-2">
      <TabLinks label="Searches" tabs={tabs} />
      <Select
        label="Sort"
        prefix="Sort:"
        icon={<ArrowDownWideNarrow aria-hidden className="size-3.5 text-text-muted md:hidden" />}
        options={SORT_OPTIONS}
        value={state.sort}
        onValueChange={(sort) => onChange({ sort })}
        className="my-1 border-transparent bg-transparent max-sm:[&>span:not(:last-child)]:sr-only"
      />
    </div>
  );
}
