import type { ReactNode } from 'react';
import { CursorPager, readListPage } from '#app/[org]/cursor-pager.tsx';
import { ListSearch } from '#app/[org]/list-search.tsx';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { deleteMappingAction } from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { DebugFileKind, DeobfuscationFile } from '#product/artifacts/artifact.ts';
import { listDeobfuscationFiles } from '#product/artifacts/deobfuscation-files.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatBytes } from '#ui/format-number.ts';
import { PageBody } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { UploadsHeader } from './uploads-header.tsx';

const PAGE_FILES = 50;

/** How the page of one kind of file speaks. */
export type UploadedFilesText = {
  kind: DebugFileKind;
  /** The last part of its address. */
  tab: 'mappings' | 'debug-files';
  icon: ReactNode;
  title: string;
  /** In sentences. */
  noun: string;
  nouns: string;
  /** Which tool the guide opens with. */
  tool: 'proguard' | 'native';
  empty: string;
  /** What deleting one does. */
  consequence: string;
};

/** Files of one kind that builds uploaded to a project by their IDs. */
export async function UploadedFilesPage({
  request: { params, searchParams },
  text,
}: {
  request: PageRequest<'org' | 'project'>;
  text: UploadedFilesText;
}) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const requested = await searchParams;
  const search = firstValue(requested, 'query') ?? '';
  const cursor = firstValue(requested, 'cursor') || null;
  const { kind, tab, icon, nouns } = text;
  const page = await readListPage(cursor, (from) =>
    listDeobfuscationFiles(ctx, { projectSlug: slug, kind, search, limit: PAGE_FILES, cursor: from }),
  );
  const base = `/${org}/settings/projects/${slug}/source-maps`;
  const isSearched = search !== '' || cursor !== null;
  return (
    <PageBody width="narrow">
      <UploadsHeader base={base} current={tab} />
      {page.files.length > 0 || isSearched ? (
        <div className="mb-3 flex">
          <ListSearch label={`Search ${nouns}`} placeholder="Search by name or ID" query={search} />
        </div>
      ) : null}
      <Card flush>
        {page.files.length > 0 ? (
          <FileTable
            files={page.files}
            organizationSlug={org}
            projectSlug={slug}
            canDelete={hasRight(ctx.actor, 'project:write')}
            now={ctx.now()}
            text={text}
          />
        ) : isSearched ? (
          <EmptyState
            icon={icon}
            title={`No matching ${nouns}`}
            actions={<ButtonLink href={`${base}/${tab}`}>Show all {nouns}</ButtonLink>}
          />
        ) : (
          <EmptyState
            icon={icon}
            title={`No ${nouns} yet`}
            actions={
              <ButtonLink variant="primary" href={`${base}/how-to?tool=${text.tool}`}>
                How to upload
              </ButtonLink>
            }
          >
            {text.empty}
          </EmptyState>
        )}
      </Card>
      <CursorPager
        path={`${base}/${tab}`}
        entries={{ query: search || null }}
        cursor={cursor}
        nextCursor={page.nextCursor}
      />
    </PageBody>
  );
}

function FileTable({
  files,
  organizationSlug,
  projectSlug,
  canDelete,
  now,
  text,
}: {
  files: readonly DeobfuscationFile[];
  organizationSlug: string;
  projectSlug: string;
  canDelete: boolean;
  now: number;
  text: UploadedFilesText;
}) {
  const hasArch = text.kind === 'breakpad';
  return (
    <Table
      label={text.title}
      columns={[
        'ID',
        'File',
        ...(hasArch ? ['Processor'] : []),
        numeric('Size'),
        'Uploaded',
        ...(canDelete ? [null] : []),
      ]}
    >
      {files.map((file) => (
        <Tr key={file.id}>
          <Td className="min-w-40">
            <code className="mono break-anything text-xs">{file.debugId}</code>
          </Td>
          <Td className="min-w-28">
            <bdi className="break-anything">{visibleText(file.name)}</bdi>
          </Td>
          {hasArch ? (
            <Td>
              <bdi className="break-anything">{visibleText(file.arch ?? '')}</bdi>
            </Td>
          ) : null}
          <Td numeric>{formatBytes(file.bytes)}</Td>
          <Td className="whitespace-nowrap">
            <RelativeTime at={file.uploadedAt} now={now} />
          </Td>
          {canDelete ? (
            <Td align="right">
              <ConfirmDelete
                name={`${text.noun} ${file.debugId}`}
                consequence={text.consequence}
                action={deleteMappingAction.bind(null, organizationSlug, { projectSlug, fileId: file.id })}
              />
            </Td>
          ) : null}
        </Tr>
      ))}
    </Table>
  );
}
