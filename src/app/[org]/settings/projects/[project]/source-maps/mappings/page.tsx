import { Smartphone } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { deleteMappingAction } from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { DeobfuscationFile } from '#product/artifacts/artifact.ts';
import { listDeobfuscationFiles } from '#product/artifacts/deobfuscation-files.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatBytes } from '#ui/format-number.ts';
import { PageBody } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { UploadsHeader } from '../uploads-header.tsx';

export const metadata: Metadata = { title: 'ProGuard mappings' };

const PAGE_MAPPINGS = 50;

export default async function MappingsPage({ params, searchParams }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const requested = await searchParams;
  const search = firstValue(requested, 'query') ?? '';
  const cursor = firstValue(requested, 'cursor') || null;
  const page = await readListPage(cursor, (from) =>
    listDeobfuscationFiles(ctx, { projectSlug: slug, search, limit: PAGE_MAPPINGS, cursor: from }),
  );
  const base = `/${org}/settings/projects/${slug}/source-maps`;
  const isSearched = search !== '' || cursor !== null;
  return (
    <PageBody width="narrow">
      <UploadsHeader base={base} current="mappings" />
      {page.files.length > 0 || isSearched ? (
        <div className="mb-3 flex">
          <ListSearch label="Search mappings" placeholder="Search by name or ID" query={search} />
        </div>
      ) : null}
      <Card flush>
        {page.files.length > 0 ? (
          <MappingTable
            files={page.files}
            organizationSlug={org}
            projectSlug={slug}
            canDelete={hasRight(ctx.actor, 'project:write')}
            now={ctx.now()}
          />
        ) : isSearched ? (
          <EmptyState
            icon={<Smartphone />}
            title="No matching mappings"
            actions={<ButtonLink href={`${base}/mappings`}>Show all mappings</ButtonLink>}
          />
        ) : (
          <EmptyState
            icon={<Smartphone />}
            title="No mappings yet"
            actions={
              <ButtonLink variant="primary" href={`${base}/how-to?tool=proguard`}>
                How to upload
              </ButtonLink>
            }
          >
            Android and Java builds that obfuscate names write a mapping.txt. With it, stack traces show the
            original class and method names.
          </EmptyState>
        )}
      </Card>
      <CursorPager
        path={`${base}/mappings`}
        entries={{ query: search || null }}
        cursor={cursor}
        nextCursor={page.nextCursor}
      />
    </PageBody>
  );
}

function MappingTable({
  files,
  organizationSlug,
  projectSlug,
  canDelete,
  now,
}: {
  files: readonly DeobfuscationFile[];
  organizationSlug: string;
  projectSlug: string;
  canDelete: boolean;
  now: number;
}) {
  return (
    <Table
      label="ProGuard mappings"
      columns={['ID', 'File', numeric('Size'), 'Uploaded', ...(canDelete ? [null] : [])]}
    >
      {files.map((file) => (
        <Tr key={file.id}>
          <Td className="min-w-40">
            <code className="mono break-anything text-xs">{file.debugId}</code>
          </Td>
          <Td className="min-w-28">
            <bdi className="break-anything">{visibleText(file.name)}</bdi>
          </Td>
          <Td numeric>{formatBytes(file.bytes)}</Td>
          <Td className="whitespace-nowrap">
            <RelativeTime at={file.uploadedAt} now={now} />
          </Td>
          {canDelete ? (
            <Td align="right">
              <ConfirmDelete
                name={`mapping ${file.debugId}`}
                consequence="Stored events keep their names. New events from this build show obfuscated names until the mapping is uploaded again."
                action={deleteMappingAction.bind(null, organizationSlug, { projectSlug, fileId: file.id })}
              />
            </Td>
          ) : null}
        </Tr>
      ))}
    </Table>
  );
}
