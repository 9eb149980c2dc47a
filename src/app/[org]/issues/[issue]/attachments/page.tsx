import { Paperclip } from 'lucide-react';
import type { Metadata } from 'next';
import { CursorPager, NEWEST_FIRST_LABELS } from '#app/[org]/cursor-pager.tsx';
import { previewKind } from '#app/[org]/issues/[issue]/event/attachment-list.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listIssueAttachments } from '#product/attachments/attachments.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { getIssueRequest, readPage } from '../issue-request.ts';
import { IssueViewHeader } from '../issue-view-header.tsx';
import { AttachmentTable, PictureGallery } from './attachment-table.tsx';

const PAGE_ATTACHMENTS = 50;

type Props = PageRequest<'org' | 'issue'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, issue: reference } = await params;
  const { issue } = await getIssueRequest(org, reference);
  return { title: { absolute: `Attachments of ${issue.shortId} · Errata` } };
}

/** Files that came with the events of an issue: pictures as a gallery, all of them in a table. */
export default async function IssueAttachmentsPage({ params, searchParams }: Props) {
  const { org, issue: reference } = await params;
  const cursor = firstValue(await searchParams, 'cursor') || null;
  const { ctx, issue } = await getIssueRequest(org, reference);
  const page = visibleData(
    await readPage(cursor, (from) =>
      listIssueAttachments(ctx, issue, { cursor: from, limit: PAGE_ATTACHMENTS }),
    ),
  );
  const issueHref = `/${ctx.organization.slug}/issues/${issue.shortId}`;
  const pictures = page.ok ? page.value.rows.filter((row) => previewKind(row) === 'picture') : [];
  return (
    <PageBody>
      <IssueViewHeader
        issue={issue}
        organizationSlug={ctx.organization.slug}
        view="attachments"
        title={`Attachments of ${issue.shortId}`}
      />
      {!page.ok ? (
        <Notice tone="warning" title="Couldn’t load attachments" actions={<ReloadButton />}>
          {page.reason}
        </Notice>
      ) : page.value.rows.length === 0 ? (
        <div className="rounded-lg border bg-surface-raised">
          <EmptyState icon={<Paperclip />} title="No attachments">
            SDKs can be configured to send files with events: screenshots, view hierarchies, logs, or crash
            dumps. Attachments are deleted after the retention period.
          </EmptyState>
        </div>
      ) : (
        <div className="space-y-5">
          {pictures.length > 0 ? <PictureGallery pictures={pictures} issueHref={issueHref} /> : null}
          <AttachmentTable attachments={page.value.rows} issueHref={issueHref} now={ctx.now()} />
        </div>
      )}
      {page.ok ? (
        <CursorPager
          labels={NEWEST_FIRST_LABELS}
          path={`${issueHref}/attachments`}
          cursor={cursor}
          nextCursor={page.value.nextCursor}
        />
      ) : null}
    </PageBody>
  );
}
