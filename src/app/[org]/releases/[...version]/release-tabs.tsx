import { firstValue, type QueryEntries, type SearchParams, withQuery } from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import type { ReleaseDetails } from '#product/releases/get-release.ts';
import { formatCount } from '#ui/format-number.ts';
import { TabLinks } from '#ui/tabs.tsx';

const TABS = ['overview', 'commits', 'deploys', 'artifacts'] as const;
type ReleaseTab = (typeof TABS)[number];

/** Where a list stands: its page, and the parameters of it that stay. */
type ListPlace = {
  path: string;
  entries: QueryEntries;
};

/** What a tab with a list of a release needs. */
export type ReleaseListProps = {
  ctx: Context;
  version: string;
  /** Of the release. */
  projectSlugs: readonly string[];
  cursor: string | null;
  here: ListPlace;
};

/** A parameter and no segment: a version may hold slashes. */
export function readReleaseTab(params: SearchParams): ReleaseTab {
  const asked = firstValue(params, 'tab');
  return TABS.find((tab) => tab === asked) ?? 'overview';
}

/** The parts of a release, each with its own address. */
export function ReleaseTabs({
  path,
  entries,
  current,
  release,
}: ListPlace & {
  current: ReleaseTab;
  /** null while its figures cannot be had. */
  release: Pick<ReleaseDetails, 'commitCount' | 'deployCount'> | null;
}) {
  const counted = (count: number | undefined) => (count === undefined ? {} : { count: formatCount(count) });
  const to = (tab: ReleaseTab) => ({
    href: withQuery(path, { ...entries, tab: tab === 'overview' ? null : tab }),
    isCurrent: tab === current,
  });
  return (
    <div className="mb-5 border-b">
      <TabLinks
        label="Release views"
        tabs={[
          { ...to('overview'), label: 'Overview' },
          { ...to('commits'), label: 'Commits', ...counted(release?.commitCount) },
          { ...to('deploys'), label: 'Deploys', ...counted(release?.deployCount) },
          { ...to('artifacts'), label: 'Artifacts' },
        ]}
      />
    </div>
  );
}
