import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { TabLinks } from '#ui/tabs.tsx';

const VIEWS = [
  { view: 'errors', label: 'Errors', path: 'explore/errors' },
  { view: 'traces', label: 'Traces', path: 'explore/traces' },
  { view: 'logs', label: 'Logs', path: 'explore/logs' },
  { view: 'metrics', label: 'Metrics', path: 'explore/metrics' },
  { view: 'profiles', label: 'Profiles', path: 'explore/profiles' },
  { view: 'users', label: 'Users', path: 'users' },
] as const;

/** What can be explored; the project, the environment and the time are kept. */
export function ExploreTabs({
  organizationSlug,
  current,
  entries,
}: {
  organizationSlug: string;
  current: (typeof VIEWS)[number]['view'];
  entries: QueryEntries;
}) {
  return (
    <div className="-mt-2 mb-4 border-b">
      <TabLinks
        label="Datasets"
        tabs={VIEWS.map(({ view, label, path }) => ({
          href: withQuery(`/${organizationSlug}/${path}`, entries),
          label,
          isCurrent: view === current,
        }))}
      />
    </div>
  );
}
