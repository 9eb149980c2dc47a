import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { type PageRequest, withQuery } from '#app/url-state.ts';
import {
  BROWSER_CHOICES,
  LEGACY_BROWSERS_ID,
  LISTED_FILTERS,
  SWITCHED_FILTERS,
} from '#product/inbound-filters/filter-catalogue.ts';
import { countFiltered, getInboundFilters } from '#product/inbound-filters/inbound-filters.ts';
import { hasRight } from '#product/permissions.ts';
import { formatExact } from '#ui/format-number.ts';
import { SettingsPage } from '#ui/page-header.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { FiltersForm } from './filters-form.tsx';

export const metadata: Metadata = { title: 'Inbound filters' };

export default async function InboundFiltersPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const [filters, dropped] = await Promise.all([getInboundFilters(ctx, slug), countFiltered(ctx, slug)]);
  const canChange = hasRight(ctx.actor, 'project:write');
  const statsHref = withQuery(`/${org}/stats`, { project: slug, range: '30d' });
  const ids = [...SWITCHED_FILTERS, ...LISTED_FILTERS].map(({ id }) => id);
  const counts = Object.fromEntries(
    [...ids, LEGACY_BROWSERS_ID].map((id) => [
      id,
      <DroppedCount key={id} count={dropped[id]} href={statsHref} />,
    ]),
  );
  return (
    <SettingsPage
      title="Inbound filters"
      description="Matching data is dropped before it is stored and counted with the filter as the reason. Counts cover the last 30 days and all kinds of data."
      lockedNote={canChange ? null : 'Ask an admin to change the filters.'}
    >
      <FiltersForm
        orgSlug={org}
        projectSlug={slug}
        filters={filters}
        switches={SWITCHED_FILTERS}
        lists={LISTED_FILTERS}
        browsers={BROWSER_CHOICES}
        counts={counts}
        canChange={canChange}
      />
    </SettingsPage>
  );
}

/** What a filter dropped in the last 30 days; it leads to the outcomes that it counts. */
function DroppedCount({ count, href }: { count: number | undefined; href: string }): ReactNode {
  if (!count) return <span className="text-text-faint text-xs">nothing dropped</span>;
  return (
    <TextLink href={href} title="Dropped in the last 30 days" className="numbers text-xs">
      {formatExact(count)} dropped
    </TextLink>
  );
}
