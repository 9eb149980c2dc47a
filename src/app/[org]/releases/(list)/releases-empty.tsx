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
        title="No release fits"
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
          ? 'With an environment, releases are listed that were active there in the chosen time.'
          : 'A search finds a part of the version, in upper or lower case.'}
      </EmptyState>
    );
  }
  if (isArchived) {
    return (
      <EmptyState icon={<Archive />} title="No release is archived">
        What is archived stays out of the lists, and can be restored. A release is archived on its page.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Package />} title="No release yet">
      <p className="mb-3">
        A release appears with the first event or session that names it. Tell the SDK which version it runs
        in:
      </p>
      <div className="text-left">
        <CodeBlock text={"Sentry.init({ dsn, release: 'web@1.0.0' });"} label="the line" />
      </div>
    </EmptyState>
  );
}
