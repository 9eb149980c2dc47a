import { ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest, withQuery } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { AUDIT_ACTIONS } from '#product/audit/audit-actions.ts';
import { AUDIT_DAYS, type AuditPage, listAuditActors, listAuditEntries } from '#product/audit/audit-log.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { buttonClass } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Page } from '#ui/page-header.tsx';
import { type AuditFilters, parseAuditFilters, toAuditQuery } from './audit-filters.ts';
import { EntryList } from './entry-list.tsx';
import { FilterBar } from './filter-bar.tsx';

export const metadata: Metadata = { title: 'Audit log' };

export default async function AuditLogPage({ params, searchParams }: PageRequest<'org'>) {
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
  const now = ctx.now();
  return (
    <Page
      width="narrow"
      title="Audit log"
      description={`Every change to settings, members, keys, tokens and rules, and every deletion, with who made it and from where. Entries are kept for ${AUDIT_DAYS} days.`}
      actions={
        hasRight(ctx.actor, 'org:admin') ? (
          // A download: the client's own navigation would take it for a page.
          <a href={withQuery(`${path}/export`, filters)} className={buttonClass()} download>
            Export as CSV
          </a>
        ) : null
      }
    >
      <div className="flex flex-col gap-4">
        <FilterBar
          path={path}
          filters={filters}
          actors={actors.map(({ userId, name }) => ({ value: userId, label: name }))}
          actions={Object.entries(AUDIT_ACTIONS).map(([value, hint]) => ({ value, label: value, hint }))}
          days={{ min: dayOf(now - AUDIT_DAYS * DAY_MS), max: dayOf(now) }}
        />
        <Card flush id="entries" title="Entries">
          {page.entries.length === 0 ? (
            <EmptyState icon={<ScrollText aria-hidden />} title="No entries">
              {Object.values(filters).some((value) => value !== null)
                ? 'No entries match these filters. Choose a longer period, or clear the filters.'
                : 'Changes in this organization appear here.'}
            </EmptyState>
          ) : (
            <EntryList entries={page.entries} now={now} />
          )}
        </Card>
        <nav aria-label="Pages" className="flex items-center justify-end gap-2">
          {firstValue(search, 'cursor') ? (
            <ButtonLink href={withQuery(path, filters)}>Newest</ButtonLink>
          ) : null}
          {page.nextCursor ? (
            <ButtonLink href={withQuery(path, { ...filters, cursor: page.nextCursor })}>Older</ButtonLink>
          ) : null}
        </nav>
      </div>
    </Page>
  );
}

/** `2026-11-22`, in UTC. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

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
    <Page width="narrow" title="Audit log">
      <EmptyState icon={<ScrollText aria-hidden />} title="For managers and owners">
        Your role does not include access to the audit log. Ask a manager or an owner.
      </EmptyState>
    </Page>
  );
}
