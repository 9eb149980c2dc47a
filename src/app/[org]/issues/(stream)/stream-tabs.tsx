'use client';

import { ArrowDownWideNarrow } from 'lucide-react';
import { ISSUE_TABS, type IssueTab, TAB_COUNT_MAX } from '#product/issues/count-issue-tabs.ts';
import { Select } from '#ui/select.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { currentTab, SORT_LABELS, type StreamState, streamHref } from '../stream-url.ts';

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
