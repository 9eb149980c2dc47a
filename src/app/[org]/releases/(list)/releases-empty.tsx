import { Archive, Package, SearchX } from 'lucide-react';
import { ButtonLink } from '#ui/button-link.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { type ReleasesState, releasesHref } from '../releases-state.ts';

/** Why the list is empty: nothing fits, or no program tells its release. */
export function ReleasesEmpty({
  organizationSlug,
  state,
}: {
  organizationSlug: string;
  state: ReleasesState;
}) {
  const { filters, search, cursor, isArchived } = state;
  const isNarrowed =
    search !== '' || cursor !== null || filters.projects.length + filters.environments.length > 0;
  if (isNarrowed) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No matching releases"
        actions={
          <ButtonLink
            href={releasesHref(organizationSlug, state, {
              search: '',
              filters: { ...filters, projects: [], environments: [] },
            })}
          >
            Show all releases
          </ButtonLink>
        }
      >
        {filters.environments.length > 0
          ? 'With an environment selected, only releases with activity there in the selected time range are listed.'
          : 'Search matches any part of the version and ignores case.'}
      </EmptyState>
    );
  }
  if (isArchived) {
    return (
      <EmptyState icon={<Archive />} title="No archived releases">
        Archived releases are hidden from the other lists. You can archive or restore a release on its page.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Package />} title="No releases yet">
      <p className="mb-3">A release appears with its first event or session. Set the release in your SDK:</p>
      <div className="text-left">
        <CodeBlock text={"Sentry.init({ dsn, release: 'web@1.0.0' });"} label="the line" />
      </div>
    </EmptyState>
  );
}
