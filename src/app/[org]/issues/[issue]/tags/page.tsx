import type { Metadata } from 'next';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { firstValue, type PageRequest, parsePageFilters, timeBounds } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import {
  ALL_TAG_LIMITS,
  KEY_CHARACTERS_MAX,
  listIssueTags,
  listTagValues,
  TAGGED_EVENTS_MAX,
} from '#product/issues/issue-tags.ts';
import type { TagDistribution, TagValues } from '#storage/ports/events.ts';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { PageBody } from '#ui/page-header.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { countedTime, getIssueRequest } from '../issue-request.ts';
import { IssueViewHeader } from '../issue-view-header.tsx';
import { TagCards, TagTable } from './tag-table.tsx';

const VALUES_SHOWN_MAX = 100;

type Counted = { kind: 'all'; tags: readonly TagDistribution[] } | { kind: 'one'; tag: TagValues };
type Props = PageRequest<'org' | 'issue'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, issue: reference } = await params;
  const { issue } = await getIssueRequest(org, reference);
  return { title: { absolute: `Tags of ${issue.shortId} · Errata` } };
}

/** All tags of the events of an issue with their values; `?key=` shows the values of one. */
export default async function IssueTagsPage({ params, searchParams }: Props) {
  const { org, issue: reference } = await params;
  const query = await searchParams;
  const { ctx, issue } = await getIssueRequest(org, reference);
  const filters = parsePageFilters(query);
  const range = timeBounds(filters.time, ctx.now());
  const time = countedTime(filters.time);
  const key = firstValue(query, 'key')?.slice(0, KEY_CHARACTERS_MAX) || null;
  const found = await orUnavailable(load());
  const issueHref = `/${ctx.organization.slug}/issues/${issue.shortId}`;
  return (
    <PageBody>
      <IssueViewHeader
        issue={issue}
        organizationSlug={ctx.organization.slug}
        view="tags"
        title={`Tags of ${issue.shortId}`}
        description={`Based on up to ${formatExact(TAGGED_EVENTS_MAX)} of the latest events in the time range.`}
      />
      <PageFilters filters={filters} projects={null} environments={null} />
      {!found.ok ? (
        <Notice tone="warning" title="Couldn’t load tags" actions={<ReloadButton />}>
          {found.reason}
        </Notice>
      ) : found.value.kind === 'one' ? (
        <TagTable tag={found.value.tag} issueHref={issueHref} time={time} now={ctx.now()} />
      ) : (
        <TagCards tags={found.value.tags} issueHref={issueHref} time={time} now={ctx.now()} />
      )}
    </PageBody>
  );

  async function load(): Promise<Counted> {
    if (key === null) {
      return { kind: 'all', tags: await listIssueTags(ctx, issue, { range, limits: ALL_TAG_LIMITS }) };
    }
    return { kind: 'one', tag: await listTagValues(ctx, issue, { key, range, limit: VALUES_SHOWN_MAX }) };
  }
}
