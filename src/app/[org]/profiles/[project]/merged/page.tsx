import type { Metadata } from 'next';
import { Suspense } from 'react';
import { comparedHref } from '#app/[org]/profile-href.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listProfiledReleases } from '#product/profiles/open-merged-profile.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Page } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { readMergedRequest } from '../../merged-request.ts';
import { NO_RELEASE, releaseOptions } from '../../release-options.ts';
import { ReleaseSelect } from '../../release-select.tsx';
import { MergedProfile } from './merged-profile.tsx';

export const metadata: Metadata = { title: 'Merged profiles' };

/** Many profiles of a transaction, or of a project, as one flame graph. */
export default async function MergedProfilesPage(request: PageRequest<'org' | 'project'>) {
  const { ctx, place, question, chosen } = await readMergedRequest(request);
  const [releases, environments] = await Promise.all([
    orUnavailable(listProfiledReleases(ctx, question)),
    listEnvironments(ctx, [place.projectSlug]),
  ]);
  const release = chosen('release') === NO_RELEASE ? null : chosen('release');
  return (
    <Page
      title={
        <bdi className="break-anything">
          {place.transaction === null ? `Profiles of ${place.projectSlug}` : visibleText(place.transaction)}
        </bdi>
      }
      description={
        place.transaction === null
          ? 'All profiles as one flame graph'
          : `Profiles of ${place.projectSlug} as one`
      }
      actions={
        <ButtonLink href={comparedHref(place, { before: null, after: release })}>
          Compare functions
        </ButtonLink>
      }
    >
      <PageFilters
        filters={place.filters}
        projects={null}
        environments={environments}
        trailing={
          releases.ok && (releases.value.some((row) => row.release !== null) || release !== null) ? (
            <ReleaseSelect
              label="Release"
              parameter="release"
              value={release ?? NO_RELEASE}
              options={releaseOptions('All releases', withChosen(releases.value, release))}
            />
          ) : null
        }
      />
      <Suspense
        key={JSON.stringify([place, release])}
        fallback={<Skeleton className="h-96 w-full rounded-lg" />}
      >
        <MergedProfile ctx={ctx} place={place} question={{ ...question, release }} />
      </Suspense>
    </Page>
  );
}

/** A release that the address names and that has no profiles stays a choice. */
const withChosen = (
  releases: readonly { release: string | null; profiles: number }[],
  release: string | null,
) =>
  release === null || releases.some((row) => row.release === release)
    ? releases
    : [...releases, { release, profiles: 0 }];
