import { FileCode } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { listBundles } from '#product/artifacts/bundles.ts';
import { sumUploads } from '#product/artifacts/upload-headroom.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatBytes } from '#ui/format-number.ts';
import { PageBody } from '#ui/page-header.tsx';
import { BundleTable } from './bundle-table.tsx';
import { UploadsHeader } from './uploads-header.tsx';

export const metadata: Metadata = { title: 'Source maps' };

const PAGE_UPLOADS = 25;

export default async function SourceMapsPage({ params, searchParams }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const requested = await searchParams;
  const search = firstValue(requested, 'query') ?? '';
  const cursor = firstValue(requested, 'cursor') || null;
  const [page, bytes] = await Promise.all([
    readListPage(cursor, (from) =>
      listBundles(ctx, { projectSlugs: [slug], version: null, search, limit: PAGE_UPLOADS, cursor: from }),
    ),
    sumUploads(ctx),
  ]);
  const base = `/${org}/settings/projects/${slug}/source-maps`;
  const isSearched = search !== '' || cursor !== null;
  return (
    <PageBody width="narrow">
      <UploadsHeader base={base} current="uploads" />
      {page.bundles.length > 0 || isSearched ? (
        <div className="mb-3 flex">
          <ListSearch
            label="Search uploads"
            placeholder="Search by file, debug ID or release"
            query={search}
          />
        </div>
      ) : null}
      <Card flush>
        {page.bundles.length > 0 ? (
          <BundleTable
            label="Uploads"
            bundles={page.bundles}
            hrefOf={({ id }) => `${base}/${id}`}
            organizationSlug={org}
            canDelete={hasRight(ctx.actor, 'project:write')}
            now={ctx.now()}
          />
        ) : isSearched ? (
          <EmptyState
            icon={<FileCode />}
            title="No matching uploads"
            actions={<ButtonLink href={base}>Show all uploads</ButtonLink>}
          >
            You can search for part of a file name, a debug ID, or part of a release.
          </EmptyState>
        ) : (
          <EmptyState
            icon={<FileCode />}
            title="No uploads yet"
            actions={
              <ButtonLink variant="primary" href={`${base}/how-to`}>
                How to upload
              </ButtonLink>
            }
          >
            Until a build uploads its source maps, stack traces show bundled code. All it takes is one plugin
            in your build.
          </EmptyState>
        )}
      </Card>
      <CursorPager
        path={base}
        entries={{ query: search || null }}
        cursor={cursor}
        nextCursor={page.nextCursor}
      />
      <p className="mt-4 text-text-muted text-xs">
        All uploads in the organization use {formatBytes(bytes)}. Uploads that no event has needed for 90 days
        are deleted.
      </p>
    </PageBody>
  );
}
