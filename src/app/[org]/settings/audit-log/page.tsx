import { ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type SearchParams, withQuery } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { AUDIT_DAYS, type AuditPage, listAuditActors, listAuditEntries } from '#product/audit/audit-log.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { buttonClass } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { AuditFilterForm } from './audit-filter-form.tsx';
import { type AuditFilters, filterEntriesOf, parseAuditFilters, toAuditQuery } from './audit-filters.ts';
import { EntryList } from './entry-list.tsx';

export const metadata: Metadata = { title: 'Audit log' };

/** Who changed what, for managers and owners. */
export default async function AuditLogPage({
  params,
  searchParams,
}: {
  params: Promise<{ org: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const { org } = await params;
  const search = await searchParams;
  const ctx = await getRequestContext(org);
  if (!hasRight(ctx.actor, 'org:write')) return <NotForYou />;
  const filters = parseAuditFilters(search);
  const [page, actors] = await Promise.all([
    loadPage(ctx, filters, firstValue(search, 'cursor')),
    listAuditActors(ctx),
  ]);
  const path = `/${org}/settings/audit-log`;
  const query = filterEntriesOf(filters);
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Audit log"
        description={`Every change of settings, members, keys, tokens and rules, and every deletion, with who made it and from where. Kept for ${AUDIT_DAYS} days.`}
        actions={
          hasRight(ctx.actor, 'org:admin') ? (
            // A download: the client's own navigation would take it for a page.
            <a href={withQuery(`${path}/export`, query)} className={buttonClass()} download>
              Export as CSV
            </a>
          ) : null
        }
      />
      <div className="flex flex-col gap-4">
        <AuditFilterForm path={path} filters={filters} actors={actors} />
        <Card flush id="entries" title="Entries">
          {page.entries.length === 0 ? (
            <EmptyState icon={<ScrollText aria-hidden />} title="No entry">
              {Object.values(query).some((value) => value !== null)
                ? 'Nothing like that happened. Choose a longer time, or clear the conditions.'
                : 'What you and others change from now on stands here.'}
            </EmptyState>
          ) : (
            <EntryList entries={page.entries} now={ctx.now()} />
          )}
        </Card>
        <nav aria-label="Pages" className="flex items-center justify-end gap-2">
          {firstValue(search, 'cursor') ? (
            <ButtonLink href={withQuery(path, query)}>Newest</ButtonLink>
          ) : null}
          {page.nextCursor ? (
            <ButtonLink href={withQuery(path, { ...query, cursor: page.nextCursor })}>Older</ButtonLink>
          ) : null}
        </nav>
      </div>
    </PageBody>
  );
}

async function loadPage(ctx: Context, filters: AuditFilters, cursor: string | null): Promise<AuditPage> {
  try {
    return await listAuditEntries(ctx, { ...toAuditQuery(filters), cursor });
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') notFound();
    throw error;
  }
}

function NotForYou() {
  return (
    <PageBody width="narrow">
      <PageHeader title="Audit log" />
      <EmptyState icon={<ScrollText aria-hidden />} title="For managers and owners">
        Your role does not include the audit log. Ask a manager or an owner what you need to know.
      </EmptyState>
    </PageBody>
  );
}
