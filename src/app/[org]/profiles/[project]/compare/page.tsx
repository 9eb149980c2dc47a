import type { Metadata } from 'next';
import { Suspense } from 'react';
import { mergedHref } from '#app/[org]/profile-href.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { LoadError } from '#app/shell/panel.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listProfiledReleases } from '#product/profiles/open-merged-profile.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Page } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { readMergedRequest } from '../../merged-request.ts';
import { releaseOptions } from '../../release-options.ts';
import { ReleaseSelect } from '../../release-select.tsx';
import { chooseSides } from './choose-sides.ts';
import { ComparedFunctions } from './compared-functions.tsx';

export const metadata: Metadata = { title: 'Compare functions' };

/** Which functions take a larger share of the time in one release, or one range, than in another. */
export default async function CompareProfilesPage(request: PageRequest<'org' | 'project'>) {
  const { ctx, place, question, chosen } = await readMergedRequest(request);
  const [releases, environments] = await Promise.all([
    orUnavailable(listProfiledReleases(ctx, question)),
    listEnvironments(ctx, [place.projectSlug]),
  ]);
  const named = releases.ok ? releases.value : [];
  const sides = chooseSides(named, { before: chosen('before'), after: chosen('after') });
  return (
    <Page
      title={
        <bdi className="break-anything">
          {place.transaction === null ? `Functions of ${place.projectSlug}` : visibleText(place.transaction)}
        </bdi>
      }
      description="Functions by how much their share of the time changed"
      actions={<ButtonLink href={mergedHref(place)}>Flame graph</ButtonLink>}
    >
      <PageFilters
        filters={place.filters}
        projects={null}
        environments={environments}
        trailing={
          <span className="flex min-w-0 flex-wrap gap-2">
            <ReleaseSelect
              label="Before"
              parameter="before"
              value={sides.before}
              options={releaseOptions('Previous period', named)}
            />
            <ReleaseSelect
              label="After"
              parameter="after"
              value={sides.after}
              options={releaseOptions('All releases', named)}
            />
          </span>
        }
      />
      {releases.ok ? (
        <Suspense
          key={JSON.stringify([place, sides])}
          fallback={<Skeleton className="h-96 w-full rounded-lg" />}
        >
          <ComparedFunctions ctx={ctx} question={question} sides={sides} />
        </Suspense>
      ) : (
        <LoadError what="the releases">{releases.reason}</LoadError>
      )}
    </Page>
  );
}
