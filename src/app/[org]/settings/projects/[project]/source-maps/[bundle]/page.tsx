import { FileSearch } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ApplyUploads } from '#app/[org]/apply-uploads/apply-uploads.tsx';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { releaseHref } from '#app/[org]/release-name.tsx';
import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest, withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ArtifactBundle, ArtifactFile, ArtifactFileKind } from '#product/artifacts/artifact.ts';
import { listBundleFiles } from '#product/artifacts/bundle-files.ts';
import { getBundle } from '#product/artifacts/bundles.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { listReprocesses } from '#product/symbolication/reprocesses.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatBytes, formatExact, formatPlural } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { DeleteUpload, releaseLabel } from '../bundle-table.tsx';

export const metadata: Metadata = { title: 'Upload' };

const PAGE_FILES = 100;

export default async function UploadPage({
  params,
  searchParams,
}: PageRequest<'org' | 'project' | 'bundle'>) {
  const { org, project: slug, bundle: reference } = await params;
  const requested = await searchParams;
  const search = firstValue(requested, 'query') ?? '';
  const cursor = firstValue(requested, 'cursor') || null;
  const ctx = await getRequestContext(org);
  await loadProject(ctx, slug);
  const bundle = await readBundle(ctx, reference, slug);
  const scope = { kind: 'bundle', bundleId: bundle.id } as const;
  const [page, runs] = await Promise.all([
    readListPage(cursor, (from) =>
      listBundleFiles(ctx, { bundleId: bundle.id, search, limit: PAGE_FILES, cursor: from }),
    ),
    listReprocesses(ctx, { projectSlug: slug, scope, limit: 1 }),
  ]);
  const now = ctx.now();
  const base = `/${org}/settings/projects/${slug}/source-maps`;
  return (
    <PageBody width="narrow">
      <p className="mb-2 text-sm">
        <TextLink href={base}>Uploads</TextLink>
      </p>
      <PageHeader
        title={
          bundle.kind === 'bundle' ? `Bundle ${formatExact(bundle.id)}` : `File ${formatExact(bundle.id)}`
        }
        actions={
          hasRight(ctx.actor, 'project:write') ? (
            <DeleteUpload organizationSlug={org} bundle={bundle} afterHref={base} />
          ) : null
        }
      />
      <div className="flex flex-col gap-5">
        <Card id="facts" title="About this upload">
          <KeyValues
            rows={[
              { key: 'at', name: 'Uploaded', value: <RelativeTime at={bundle.uploadedAt} now={now} /> },
              {
                key: 'used',
                name: 'Used',
                value:
                  bundle.usedAt > bundle.uploadedAt ? (
                    <RelativeTime at={bundle.usedAt} now={now} />
                  ) : (
                    'Not yet'
                  ),
              },
              { key: 'bytes', name: 'Size', value: formatBytes(bundle.bytes) },
              {
                key: 'releases',
                name: 'Releases',
                value:
                  bundle.releases.length === 0
                    ? 'None (files are found by debug ID)'
                    : bundle.releases.map((release) => (
                        <span key={releaseLabel(release)} className="block">
                          <TextLink
                            href={withQuery(releaseHref(org, release.version), {
                              project: slug,
                              tab: 'artifacts',
                            })}
                            className="break-anything"
                          >
                            <bdi>{releaseLabel(release)}</bdi>
                          </TextLink>
                        </span>
                      )),
              },
              {
                key: 'checksum',
                name: 'SHA-1',
                value: <code className="mono break-anything text-xs">{bundle.checksum}</code>,
              },
            ]}
          />
        </Card>
        <Card id="apply" title="Stored events">
          <ApplyUploads ctx={ctx} runs={runs} projectSlug={slug} scope={scope} />
        </Card>
        <Card flush id="files" title={`Files (${formatExact(bundle.fileCount)})`}>
          <div className="flex border-b p-3">
            <ListSearch label="Search files" placeholder="Search by file name" query={search} />
          </div>
          {page.files.length > 0 ? (
            <FileTable files={page.files} />
          ) : (
            <EmptyState icon={<FileSearch />} title={search ? 'No matching files' : 'No files'}>
              {search ? <bdi>No file in this upload has “{visibleText(search)}” in its name.</bdi> : null}
            </EmptyState>
          )}
        </Card>
      </div>
      <CursorPager
        path={`${base}/${bundle.id}`}
        entries={{ query: search || null }}
        cursor={cursor}
        nextCursor={page.nextCursor}
      />
    </PageBody>
  );
}

/** The not-found page for one that the project has not (any more). */
async function readBundle(ctx: Context, reference: string, projectSlug: string): Promise<ArtifactBundle> {
  if (!/^[1-9]\d{0,14}$/.test(reference)) notFound();
  return orNotFound(getBundle(ctx, { bundleId: Number(reference), projectSlugs: [projectSlug] }));
}

function FileTable({ files }: { files: readonly ArtifactFile[] }) {
  return (
    <Table label="Uploaded files" columns={['File', 'Type', 'Debug ID', numeric('Size')]}>
      {files.map((file) => (
        <Tr key={file.id}>
          <Td className="min-w-52">
            <bdi className="mono break-anything text-xs">{visibleText(file.url || (file.path ?? ''))}</bdi>
            {file.sourceMap === null ? null : (
              <span className="block text-text-muted text-xs">
                map: <bdi className="mono break-anything">{visibleText(file.sourceMap)}</bdi>
              </span>
            )}
          </Td>
          <Td className="whitespace-nowrap">{KINDS[file.kind]}</Td>
          <Td className="min-w-40">
            {file.debugId === null ? (
              <span className="text-text-muted">none</span>
            ) : (
              <code className="mono break-anything text-xs">{file.debugId}</code>
            )}
          </Td>
          <Td numeric>
            <span title={formatPlural(file.bytes, 'byte')}>{formatBytes(file.bytes)}</span>
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

const KINDS: Readonly<Record<ArtifactFileKind, string>> = {
  minified_source: 'script',
  source_map: 'source map',
  source: 'source',
  other: 'other',
};
