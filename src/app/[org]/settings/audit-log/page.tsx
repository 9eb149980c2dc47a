import { ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest, withQuery } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { AUDIT_ACTIONS } from '#product/audit/audit-actions.ts';
import { AUDIT_DAYS, type AuditPage, listAuditActors, listAuditEntries } from '#product/audit/audit-log.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Field, Input, inputClass } from '#ui/field.tsx';
import { Page } from '#ui/page-header.tsx';
import { type AuditFilters, filterEntriesOf, parseAuditFilters, toAuditQuery } from './audit-filters.ts';
import { EntryList } from './entry-list.tsx';

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
  const query = filterEntriesOf(filters);
  return (
    <Page
      width="narrow"
      title="Audit log"
      description={`Every change to settings, members, keys, tokens and rules, and every deletion, with who made it and from where. Entries are kept for ${AUDIT_DAYS} days.`}
      actions={
        hasRight(ctx.actor, 'org:admin') ? (
          // A download: the client's own navigation would take it for a page.
          <a href={withQuery(`${path}/export`, query)} className={buttonClass()} download>
            Export as CSV
          </a>
        ) : null
      }
    >
      <div className="flex flex-col gap-4">
        <AuditFilterForm path={path} filters={filters} actors={actors} />
        <Card flush id="entries" title="Entries">
          {page.entries.length === 0 ? (
            <EmptyState icon={<ScrollText aria-hidden />} title="No entries">
              {Object.values(query).some((value) => value !== null)
                ? 'No entries match these filters. Choose a longer period, or clear the filters.'
                : 'Changes in this organization appear here.'}
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
    </Page>
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
    <Page width="narrow" title="Audit log">
      <EmptyState icon={<ScrollText aria-hidden />} title="For managers and owners">
        Your role does not include access to the audit log. Ask a manager or an owner.
      </EmptyState>
    </Page>
  );
}

/** Narrows the log; a plain form, so that all of it is in the address and works without script. */
function AuditFilterForm({
  path,
  filters,
  actors,
}: {
  path: string;
  filters: AuditFilters;
  actors: readonly { userId: string; name: string }[];
}) {
  const isNarrowed = Object.values(filters).some((value) => value !== null);
  return (
    <form action={path} method="get" className="flex flex-wrap items-end gap-3">
      <Field id="actor" label="User" className="min-w-40 flex-1">
        <select id="actor" name="actor" defaultValue={filters.actor ?? ''} className={`${inputClass} h-9`}>
          <option value="">Everyone</option>
          {actors.map(({ userId, name }) => (
            <option key={userId} value={userId}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field id="action" label="Action" className="min-w-40 flex-1">
        <select id="action" name="action" defaultValue={filters.action ?? ''} className={`${inputClass} h-9`}>
          <option value="">All actions</option>
          {Object.keys(AUDIT_ACTIONS).map((action) => (
            <option key={action} value={action}>
              {action}
            </option>
          ))}
        </select>
      </Field>
      <Field id="from" label="From (UTC)">
        <Input id="from" name="from" type="date" defaultValue={filters.from ?? ''} className="w-40" />
      </Field>
      <Field id="to" label="To (UTC)">
        <Input id="to" name="to" type="date" defaultValue={filters.to ?? ''} className="w-40" />
      </Field>
      <Button type="submit" className="h-9">
        Show
      </Button>
      {isNarrowed ? (
        <ButtonLink href={path} variant="ghost" className="h-9">
          Clear
        </ButtonLink>
      ) : null}
    </form>
  );
}
