import { ArrowDown, ArrowUp } from 'lucide-react';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ExploredRow } from '#product/explore/explored-events.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { TableTime, TimeZoneName } from '#ui/table-time.tsx';
import { searchTerm } from '../../../search-box/search-term.ts';
import { type ExplorePlace, type ExploreState, exploreHref } from '../explore-state.ts';

/** Events with the chosen columns. The title opens the event, a value narrows the search to it. */
export function EventTable({
  organizationSlug,
  state,
  rows,
  now,
}: ExplorePlace & {
  rows: readonly ExploredRow[];
  now: number;
}) {
  const place = { organizationSlug, state };
  return (
    <Table label="Events">
      <thead>
        <tr>
          <Th>Event</Th>
          {state.columns.map((column) =>
            column === 'timestamp' ? (
              <TimeHeading key={column} {...place} />
            ) : (
              <Th key={column}>
                <bdi className="mono">{column}</bdi>
              </Th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={`${row.projectSlug} ${row.eventId}`}>
            <Td className="min-w-48 max-w-96">
              {row.shortId === null ? (
                <bdi className="block truncate" title="The issue of this event was deleted">
                  {visibleText(row.title)}
                </bdi>
              ) : (
                <Link
                  href={`/${organizationSlug}/issues/${row.shortId}/events/${row.eventId}`}
                  title={visibleText(row.title)}
                  className="block truncate font-medium text-text no-underline hover:underline"
                >
                  <bdi>{visibleText(row.title) || row.eventId}</bdi>
                </Link>
              )}
            </Td>
            {state.columns.map((column, index) => (
              <Td key={column} className="max-w-60 whitespace-nowrap">
                <Cell {...place} column={column} row={row} text={row.cells[index] ?? ''} now={now} />
              </Td>
            ))}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function TimeHeading({ organizationSlug, state }: ExplorePlace) {
  const isNewest = state.order === 'newest';
  const Arrow = isNewest ? ArrowDown : ArrowUp;
  return (
    <Th aria-sort={isNewest ? 'descending' : 'ascending'}>
      <Link
        href={exploreHref(organizationSlug, state, { order: isNewest ? 'oldest' : 'newest' })}
        title={isNewest ? 'Oldest first' : 'Newest first'}
        className="mono inline-flex items-center gap-1 text-text no-underline hover:underline"
      >
        timestamp
        <Arrow aria-hidden className="size-3" />
      </Link>
      <TimeZoneName className="block font-normal text-text-faint" />
    </Th>
  );
}

function Cell({
  organizationSlug,
  state,
  column,
  row,
  text,
  now,
}: ExplorePlace & {
  column: string;
  row: ExploredRow;
  text: string;
  now: number;
}) {
  if (column === 'timestamp') {
    return (
      <>
        <TableTime at={row.occurredAt} />
        <RelativeTime at={row.occurredAt} now={now} className="block text-text-muted text-xs" />
      </>
    );
  }
  if (text === '') return <span className="text-text-faint">–</span>;
  if (column === 'issue') {
    return (
      <Link
        href={`/${organizationSlug}/issues/${text}`}
        className="text-accent underline-offset-2 hover:underline"
      >
        {text}
      </Link>
    );
  }
  const href = narrowedHref(organizationSlug, state, column, text);
  if (href === null) {
    return (
      <bdi className="block truncate" title={visibleText(text)}>
        {visibleText(text)}
      </bdi>
    );
  }
  return (
    <Link
      href={href}
      title={`Filter by ${visibleText(text)}`}
      className="block truncate text-text no-underline hover:underline"
    >
      <bdi>{visibleText(column === 'release' ? shortenHashes(text) : text)}</bdi>
    </Link>
  );
}

/** The same question, of events with the value only; null where no search says that. */
export function narrowedHref(
  organizationSlug: string,
  state: ExploreState,
  field: string,
  value: string,
): string | null {
  if (field === 'project') {
    const filters = { ...state.filters, projects: [value] };
    return exploreHref(organizationSlug, state, { filters, group: null });
  }
  // Several values in one cell are no value that a search could name.
  if (/^(?:error\.(?:type|value|mechanism)|stack\.(?!in_app))/.test(field) && value.includes(', '))
    return null;
  const term = searchTerm(field, value);
  if (term === null) return null;
  const isAsked = state.query.split(/\s+/).includes(term);
  const query = isAsked ? state.query : `${state.query} ${term}`.trim();
  return exploreHref(organizationSlug, state, { query, group: null });
}
