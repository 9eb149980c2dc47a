import { LoadError } from '#app/shell/panel.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
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
import { readIssueFilter, readIssueRequest } from '../issue-request.ts';
import { IssueViewPage, viewMetadata } from '../issue-view-page.tsx';
import { TagCards, TagTable } from './tag-table.tsx';

const VALUES_SHOWN_MAX = 100;

type Counted = { kind: 'all'; tags: readonly TagDistribution[] } | { kind: 'one'; tag: TagValues };
export const generateMetadata = viewMetadata('tags');

/** All tags of the events of an issue with their values; `?key=` shows the values of one. */
export default async function IssueTagsPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const query = await searchParams;
  const request = await readIssueRequest(params);
  const { ctx, issue, issueHref } = request;
  const filter = await readIssueFilter(request, query);
  const { entries, events } = filter;
  const key = firstValue(query, 'key')?.slice(0, KEY_CHARACTERS_MAX) || null;
  const found = await orUnavailable(load());
  return (
    <IssueViewPage
      request={request}
      view="tags"
      filter={filter}
      hasFilters
      description={`Based on up to ${formatExact(TAGGED_EVENTS_MAX)} of the latest events that match.`}
    >
      {!found.ok ? (
        <LoadError what="tags">{found.reason}</LoadError>
      ) : found.value.kind === 'one' ? (
        <TagTable
          tag={found.value.tag}
          organizationSlug={ctx.organization.slug}
          issueHref={issueHref}
          entries={entries}
          now={ctx.now()}
        />
      ) : (
        <TagCards tags={found.value.tags} issueHref={issueHref} entries={entries} now={ctx.now()} />
      )}
    </IssueViewPage>
  );

  async function load(): Promise<Counted> {
    if (key === null) {
      return { kind: 'all', tags: await listIssueTags(ctx, issue, { ...events, limits: ALL_TAG_LIMITS }) };
    }
    return { kind: 'one', tag: await listTagValues(ctx, issue, { ...events, key, limit: VALUES_SHOWN_MAX }) };
  }
}
