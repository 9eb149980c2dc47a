import { filterEntries, type PageFilters, withQuery } from '#app/url-state.ts';
import { TabLinks } from '#ui/tabs.tsx';

const TABS = [
  { tab: 'crons', label: 'Crons' },
  { tab: 'uptime', label: 'Uptime' },
] as const;
export type MonitorTab = (typeof TABS)[number]['tab'];

/** What can be monitored, each on a page of its own; the filters go along. */
export function MonitorTabs({
  organizationSlug,
  current,
  filters,
}: {
  organizationSlug: string;
  current: MonitorTab;
  filters: PageFilters;
}) {
  return (
    <div className="-mt-2 mb-4 border-b">
      <TabLinks
        label="Monitors"
        tabs={TABS.map(({ tab, label }) => ({
          href: withQuery(`/${organizationSlug}/monitors/${tab}`, filterEntries(filters)),
          label,
          isCurrent: tab === current,
        }))}
      />
    </div>
  );
}
