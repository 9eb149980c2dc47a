import { Paperclip } from 'lucide-react';
import { previewKind } from '#app/[org]/issues/[issue]/event/attachment-list.tsx';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listIssueAttachments } from '#product/attachments/attachments.ts';
import { readIssueFilter, readIssueRequest, readPage } from '../issue-request.ts';
import { IssueListPager, IssueViewPage, ShowAllStored, viewMetadata } from '../issue-view-page.tsx';
import { AttachmentTable, PictureGallery } from './attachment-table.tsx';

const PAGE_ATTACHMENTS = 50;

export const generateMetadata = viewMetadata('attachments');

/** Files that came with the events of an issue: pictures as a gallery, all of them in a table. */
export default async function IssueAttachmentsPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const search = await searchParams;
  const cursor = firstValue(search, 'cursor') || null;
  const request = await readIssueRequest(params);
  const filter = await readIssueFilter(request, search);
  const { ctx, issue, issueHref } = request;
  const page = visibleData(
    await readPage(cursor, (from) =>
      listIssueAttachments(ctx, issue, { ...filter.events, cursor: from, limit: PAGE_ATTACHMENTS }),
    ),
  );
  const pictures = page.ok ? page.value.rows.filter((row) => previewKind(row) === 'picture') : [];
  return (
    <IssueViewPage request={request} view="attachments" filter={filter} hasFilters>
      {!page.ok ? (
        <LoadError what="attachments">{page.reason}</LoadError>
      ) : page.value.rows.length === 0 ? (
        <EmptyPanel
          icon={<Paperclip />}
          title="No matching attachments"
          actions={<ShowAllStored path={`${issueHref}/attachments`} what="attachments" />}
        >
          None of the events that match came with a file. SDKs can be configured to send files with events:
          screenshots, view hierarchies, logs, or crash dumps. Attachments are deleted after the retention
          period.
        </EmptyPanel>
      ) : (
        <div className="space-y-5">
          {pictures.length > 0 ? <PictureGallery pictures={pictures} issueHref={issueHref} /> : null}
          <AttachmentTable attachments={page.value.rows} issueHref={issueHref} now={ctx.now()} />
        </div>
      )}
      <IssueListPager
        path={`${issueHref}/attachments`}
        entries={filter.entries}
        cursor={cursor}
        page={page}
      />
    </IssueViewPage>
  );
}
