import { Tags } from 'lucide-react';
import { userHref } from '#app/[org]/user-href.ts';
import { EmptyPanel, Panel } from '#app/shell/panel.tsx';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { parseUserKey } from '#product/users/user-key.ts';
import type { TagDistribution, TagValues } from '#storage/ports/events.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { formatExact, formatPlural, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { ShareBar } from './share-bar.tsx';

type ListProps = {
  issueHref: string;
  /** What was counted, as the address has it. */
  entries: QueryEntries;
  now: number;
};

/** The values of one key, the most frequent first, each with when it was seen. */
export function TagTable({
  tag,
  organizationSlug,
  issueHref,
  entries,
  now,
}: ListProps & { tag: TagValues; organizationSlug: string }) {
  const isOfUsers = tag.key === 'user';
  const allTags = (
    <ButtonLink size="sm" href={withQuery(`${issueHref}/tags`, entries)}>
      All tags
    </ButtonLink>
  );
  if (tag.total === 0) {
    return (
      <EmptyPanel title={`No events in this time range have ${tag.key}`} actions={allTags}>
        Choose a longer time range or another tag.
      </EmptyPanel>
    );
  }
  const listed = tag.values.reduce((sum, { count }) => sum + count, 0);
  const others = tag.distinct - tag.values.length;
  return (
    <Panel>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2 text-sm">
        <h2 className="break-anything font-semibold">
          <bdi>{visibleText(tag.key)}</bdi>{' '}
          <span className="numbers ml-1 font-normal text-text-muted">
            {formatPlural(tag.distinct, 'value')} in {formatPlural(tag.total, 'event')}
          </span>
        </h2>
        {allTags}
      </div>
      <Table label={`Values of ${tag.key}`}>
        <thead>
          <tr>
            <Th>Value</Th>
            {isOfUsers ? (
              <Th>
                <span className="sr-only">User</span>
              </Th>
            ) : null}
            <Th align="right">Events</Th>
            <Th>First seen</Th>
            <Th>Last seen</Th>
          </tr>
        </thead>
        <tbody>
          {tag.values.map((entry) => (
            <Tr key={entry.value}>
              <Td className="w-1/2 min-w-48 max-w-80">
                <ShareBar issueHref={issueHref} entries={entries} tag={tag} entry={entry} />
              </Td>
              {isOfUsers ? (
                <Td>
                  <UserLink organizationSlug={organizationSlug} value={entry.value} entries={entries} />
                </Td>
              ) : null}
              <Td align="right">{formatExact(entry.count)}</Td>
              <Td className="whitespace-nowrap">
                <RelativeTime at={entry.firstSeen} now={now} />
              </Td>
              <Td className="whitespace-nowrap">
                <RelativeTime at={entry.lastSeen} now={now} />
              </Td>
            </Tr>
          ))}
          {others > 0 ? (
            <Tr>
              <Td className="text-text-muted">
                Other: {formatPlural(others, 'value')}, {formatShare(tag.total - listed, tag.total)}
              </Td>
              <Td align="right">{formatExact(tag.total - listed)}</Td>
              {isOfUsers ? <Td /> : null}
              <Td />
              <Td />
            </Tr>
          ) : null}
        </tbody>
      </Table>
    </Panel>
  );
}

/** Leads to everything of a user, in the project and the time of the page. */
function UserLink({
  organizationSlug,
  value,
  entries,
}: {
  organizationSlug: string;
  value: string;
  entries: QueryEntries;
}) {
  const key = parseUserKey(value);
  if (!key) return null;
  const { query: _query, ...filters } = entries;
  return (
    <Link
      href={userHref(organizationSlug, key, filters)}
      aria-label={`View the user ${visibleText(value)}`}
      className="link whitespace-nowrap text-sm"
    >
      View user
    </Link>
  );
}

/** Every key with its most frequent values, the others together, and when it was seen. */
export function TagCards({
  tags,
  issueHref,
  entries,
  now,
}: ListProps & { tags: readonly TagDistribution[] }) {
  if (tags.length === 0) {
    return (
      <EmptyPanel icon={<Tags />} title="No tags in this time range">
        Choose a longer time range. Tags are set by your SDK with <code className="mono">setTag</code> or
        derived from each event, such as release, environment, and browser.
      </EmptyPanel>
    );
  }
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {tags.map((tag) => (
        <TagCard key={tag.key} tag={tag} issueHref={issueHref} entries={entries} now={now} />
      ))}
    </ul>
  );
}

function TagCard({ tag, issueHref, entries, now }: ListProps & { tag: TagDistribution }) {
  const listed = tag.top.reduce((sum, { count }) => sum + count, 0);
  const others = tag.distinct - tag.top.length;
  return (
    <li className="min-w-0 rounded-lg border bg-surface-raised px-4 py-3">
      <h2 className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
        <Link
          href={withQuery(`${issueHref}/tags`, { ...entries, key: tag.key })}
          className="break-anything font-semibold text-text no-underline hover:underline"
        >
          <bdi>{visibleText(tag.key)}</bdi>
        </Link>
        <span className="numbers shrink-0 text-text-muted text-xs">
          {formatPlural(tag.distinct, 'value')}
        </span>
      </h2>
      <ul>
        {tag.top.map((entry) => (
          <li key={entry.value}>
            <ShareBar issueHref={issueHref} entries={entries} tag={tag} entry={entry} now={now} />
          </li>
        ))}
        {others > 0 ? (
          <li className="flex min-h-6 items-center justify-between gap-3 px-1.5 text-text-muted text-xs">
            <Link
              href={withQuery(`${issueHref}/tags`, { ...entries, key: tag.key })}
              className="text-text-muted no-underline hover:text-text hover:underline"
            >
              Other: {formatPlural(others, 'value')}
            </Link>
            <span className="numbers mr-22">
              <span className="mr-2">{formatExact(tag.total - listed)}</span>
              {formatShare(tag.total - listed, tag.total)}
            </span>
          </li>
        ) : null}
      </ul>
    </li>
  );
}
