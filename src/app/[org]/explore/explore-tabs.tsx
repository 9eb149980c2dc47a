import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { TabLinks } from '#ui/tabs.tsx';

const DATASETS = [
  { dataset: 'errors', label: 'Errors' },
  { dataset: 'traces', label: 'Traces' },
  { dataset: 'logs', label: 'Logs' },
  { dataset: 'metrics', label: 'Metrics' },
  { dataset: 'profiles', label: 'Profiles' },
] as const;

/** What can be explored; the project, the environment and the time are kept. */
export function ExploreTabs({
  organizationSlug,
  current,
  entries,
}: {
  organizationSlug: string;
  current: (typeof DATASETS)[number]['dataset'];
  entries: QueryEntries;
}) {
  return (
    <div className="-mt-2 mb-4 border-b">
      <TabLinks
        label="Datasets"
        tabs={DATASETS.map(({ dataset, label }) => ({
          href: withQuery(`/${organizationSlug}/explore/${dataset}`, entries),
          label,
          isCurrent: dataset === current,
        }))}
      />
    </div>
  );
}
