import { withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { TagValues } from '#storage/ports/events.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatExact, formatPlural, formatShare } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { ShareBar } from './share-bar.tsx';

/** The values of one key, the most frequent first, each with when it was seen. */
export function TagTable({
  tag,
  issueHref,
  time,
  now,
}: {
  tag: TagValues;
  issueHref: string;
  /** The time that was counted over, as it stands in the address. */
  time: Readonly<Record<string, string | readonly string[] | null>>;
  now: number;
}) {
  const allTags = (
    <ButtonLink size="sm" href={withQuery(`${issueHref}/tags`, time)}>
      All tags
    </ButtonLink>
  );
  if (tag.total === 0) {
    return (
      <div className="rounded-lg border bg-surface-raised">
        <EmptyState title={`No events in this time range have ${tag.key}`} actions={allTags}>
          Choose a longer time range or another tag.
        </EmptyState>
      </div>
    );
  }
  const listed = tag.values.reduce((sum, { count }) => sum + count, 0);
  const others = tag.distinct - tag.values.length;
  return (
    <div className="rounded-lg border bg-surface-raised">
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
            <Th align="right">Events</Th>
            <Th>First seen</Th>
            <Th>Last seen</Th>
          </tr>
        </thead>
        <tbody>
          {tag.values.map(({ value, count, firstSeen, lastSeen }) => (
            <Tr key={value}>
              <Td className="w-1/2 min-w-48 max-w-80">
                <ShareBar
                  issueHref={issueHref}
                  time={time}
                  tagKey={tag.key}
                  value={value}
                  count={count}
                  total={tag.total}
                />
              </Td>
              <Td align="right">{formatExact(count)}</Td>
              <Td className="whitespace-nowrap">
                <RelativeTime at={firstSeen} now={now} />
              </Td>
              <Td className="whitespace-nowrap">
                <RelativeTime at={lastSeen} now={now} />
              </Td>
            </Tr>
          ))}
          {others > 0 ? (
            <Tr>
              <Td className="text-text-muted">
                Other: {formatPlural(others, 'value')}, {formatShare(tag.total - listed, tag.total)}
              </Td>
              <Td align="right">{formatExact(tag.total - listed)}</Td>
              <Td />
              <Td />
            </Tr>
          ) : null}
        </tbody>
      </Table>
    </div>
  );
}
