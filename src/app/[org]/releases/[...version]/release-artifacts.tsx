import { FileCode } from 'lucide-react';
import { ApplyUploads } from '#app/[org]/apply-uploads/apply-uploads.tsx';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { BundleTable } from '#app/[org]/settings/projects/[project]/source-maps/bundle-table.tsx';
import { listBundles } from '#product/artifacts/bundles.ts';
import { hasRight } from '#product/permissions.ts';
import { listReprocesses } from '#product/symbolication/reprocesses.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatExact } from '#ui/format-number.ts';
import type { ReleaseListProps } from './release-tabs.tsx';

const PAGE_UPLOADS = 25;
/** Projects of one release that can be mended from here. */
const PROJECTS_SHOWN_MAX = 10;

/** What was uploaded for the release, and the way to apply it to events that came before. */
export async function ReleaseArtifacts({
  ctx,
  version,
  projectSlugs,
  search,
  cursor,
  here,
}: ReleaseListProps & { search: string }) {
  const organizationSlug = ctx.organization.slug;
  const mended = projectSlugs.slice(0, PROJECTS_SHOWN_MAX);
  const [page, runs] = await Promise.all([
    readListPage(cursor, (from) =>
      listBundles(ctx, { projectSlugs, version, search, limit: PAGE_UPLOADS, cursor: from }),
    ),
    Promise.all(
      mended.map((projectSlug) =>
        listReprocesses(ctx, { projectSlug, scope: { kind: 'release', version }, limit: 1 }),
      ),
    ),
  ]);
  const settingsOf = (slug: string) => `/${organizationSlug}/settings/projects/${slug}/source-maps`;
  const isSearched = search !== '' || cursor !== null;
  return (
    <div className="flex flex-col gap-5">
      <Card id="apply" title="Stored events">
        <ul className="flex flex-col gap-4">
          {mended.map((projectSlug, index) => (
            <li key={projectSlug}>
              {mended.length > 1 ? <p className="mb-1.5 font-medium text-sm">{projectSlug}</p> : null}
              <ApplyUploads
                ctx={ctx}
                runs={runs[index] ?? []}
                projectSlug={projectSlug}
                scope={{ kind: 'release', version }}
              />
            </li>
          ))}
        </ul>
        {projectSlugs.length > mended.length ? (
          <p className="mt-4 text-sm text-text-muted">
            and {formatExact(projectSlugs.length - mended.length)} more. Select a project above
          </p>
        ) : null}
      </Card>
      <Card flush id="uploads" title="Release artifacts">
        {page.bundles.length > 0 || isSearched ? (
          <div className="flex border-b p-3">
            <ListSearch label="Search artifacts" placeholder="Search by filename" query={search} />
          </div>
        ) : null}
        {page.bundles.length > 0 ? (
          <BundleTable
            label="Release artifacts"
            bundles={page.bundles}
            hrefOf={(bundle) => `${settingsOf(bundle.projectSlugs[0] ?? '')}/${bundle.id}`}
            organizationSlug={organizationSlug}
            canDelete={hasRight(ctx.actor, 'project:write')}
            now={ctx.now()}
          />
        ) : (
          <EmptyState
            icon={<FileCode />}
            title={isSearched ? 'No matching artifacts' : 'No artifacts for this release'}
            actions={
              projectSlugs[0] ? (
                <ButtonLink href={settingsOf(projectSlugs[0])}>Project artifacts</ButtonLink>
              ) : null
            }
          >
            {isSearched
              ? 'Search matches any part of the filename.'
              : 'If your builds upload with debug IDs, this is expected: those artifacts are listed with the project.'}
          </EmptyState>
        )}
      </Card>
      <CursorPager
        path={here.path}
        entries={{ ...here.entries, query: search || null }}
        cursor={cursor}
        nextCursor={page.nextCursor}
      />
    </div>
  );
}
