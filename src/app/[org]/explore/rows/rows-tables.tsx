import { withQuery } from '#app/url-state.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { GroupedRows, ListedRow } from '#product/explore/rows/explored-rows.ts';
import { cx } from '#ui/cx.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { TableTime } from '#ui/table-time.tsx';
import { formatValue, formatValueExactly } from './format-value.ts';
import { groupHref } from './group-address.ts';
import { type RowsPlace, rowsHref, sortOf } from './rows-state.ts';
import { SortHeading } from './sort-heading.tsx';
import { valueTerm, withTerm } from './value-term.ts';

/** Numbers by the values of fields; each group leads to its own rows. */
export function RowGroups({
  place,
  table,
  totals,
  now,
}: {
  place: RowsPlace;
  table: GroupedRows;
  /** Over all rows. */
  totals: GroupedRows;
  now: number;
}) {
  const { groupBy } = place.state;
  const columns = groupBy.length + table.functions.length;
  return (
    <Table label="Groups">
      <thead>
        <tr>
          {groupBy.map((name) => (
            <RowsHeading key={name} place={place} name={name} isNumber={false} />
          ))}
          {table.functions.map(({ name, type }) => (
            <RowsHeading key={name} place={place} name={name} isNumber={type !== 'date'} />
          ))}
          <Th>
            <span className="sr-only">Rows</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {table.groups.map((group) => (
          <Tr key={group.keys.join('\n')}>
            {group.keys.map((key, index) => (
              <Td key={groupBy[index]} className="max-w-80 @max-2xl:max-w-56">
                {isIssue(place, groupBy[index]) && key !== '' ? (
                  <IssueLink place={place} shortId={key} title={table.issueTitles.get(key)} />
                ) : (
                  <NarrowedLink place={place} field={groupBy[index] ?? ''} value={key} />
                )}
              </Td>
            ))}
            {group.values.map((value, index) => {
              const { name = '', type = 'number' } = table.functions[index] ?? {};
              return type === 'date' && value !== null ? (
                <Td key={name} className="whitespace-nowrap">
                  <RelativeTime at={value} now={now} />
                </Td>
              ) : (
                <Td key={name} numeric title={formatValueExactly(value, type)}>
                  {name === 'count()' && groupBy.length > 0 && columns <= SHARE_COLUMNS_MAX ? (
                    <Share value={value ?? 0} total={totals.groups[0]?.values[index] ?? 0} />
                  ) : null}
                  {formatValue(value, type)}
                </Td>
              );
            })}
            <Td align="right" className="whitespace-nowrap">
              <Link
                href={groupHref(place, group.keys)}
                aria-label={`Show ${visibleText(group.keys.join(' ')) || 'all'}`}
                className="text-accent underline-offset-2 hover:underline"
              >
                Show
              </Link>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** With more columns, the share would push the last ones out of sight. */
const SHARE_COLUMNS_MAX = 5;

/** How much of all rows a group is. */
function Share({ value, total }: { value: number; total: number }) {
  return (
    <span className="mr-2 inline-flex items-center gap-2 text-text-muted text-xs @max-2xl:hidden">
      {formatShare(value, total)}
      <span aria-hidden className="h-1.5 w-16 overflow-hidden rounded-full bg-surface-pressed">
        <span
          className="block h-full bg-chart"
          style={{ width: `${Math.min(100, (value / Math.max(1, total)) * 100)}%` }}
        />
      </span>
    </span>
  );
}

/** Rows with the chosen columns. An error opens its event, a row of a trace the trace, a value narrows the search to it. */
export function RowSamples({
  place,
  rows,
  now,
}: {
  place: RowsPlace;
  rows: readonly ListedRow[];
  now: number;
}) {
  const { fields } = place.state;
  return (
    <Table label="Rows">
      <thead>
        <tr>
          {fields.map((name) => (
            <RowsHeading key={name} place={place} name={name} isNumber={isNumber(name)} />
          ))}
          <Th>
            <span className="sr-only">Trace</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={`${row.projectId} ${row.id}`}>
            {fields.map((name, index) => (
              <Td
                key={name}
                className={cx('whitespace-nowrap', !isNumber(name) && (WIDTHS[name] ?? 'max-w-60'))}
                align={isNumber(name) ? 'right' : 'left'}
              >
                <Cell place={place} name={name} row={row} text={row.values[index] ?? ''} now={now} />
              </Td>
            ))}
            <Td align="right" className="whitespace-nowrap">
              {place.state.page === 'errors' && !fields.includes('title') ? (
                <EventLink place={place} row={row} title="Event" />
              ) : null}
              <TraceLink place={place} row={row} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Of the columns that a page shows at first, so that they fit into its width. */
const WIDTHS: Readonly<Record<string, string>> = {
  title: 'min-w-48 max-w-80 max-sm:max-w-56',
  project: 'max-w-40',
};

const isNumber = (name: string): boolean => name === 'span.duration' || name === 'value';

function Cell({
  place,
  name,
  row,
  text,
  now,
}: {
  place: RowsPlace;
  name: string;
  row: ListedRow;
  text: string;
  now: number;
}) {
  if (name === 'timestamp') {
    return (
      <>
        <TableTime at={row.occurredAtUs / US_PER_MS} />
        <RelativeTime at={row.occurredAtUs / US_PER_MS} now={now} className="block text-text-muted text-xs" />
      </>
    );
  }
  if (place.state.page === 'errors' && name === 'title')
    return <EventLink place={place} row={row} title={text} />;
  if (isIssue(place, name) && text !== '') return <IssueLink place={place} shortId={text} />;
  if (name === 'span.duration' && text !== '') return <>{formatElapsed(Number(text) * US_PER_MS)}</>;
  return <NarrowedLink place={place} field={name} value={text} />;
}

/** An error by its title, which opens the event. */
function EventLink({
  place: { organizationSlug },
  row: { shortId, id },
  title,
}: {
  place: RowsPlace;
  row: ListedRow;
  title: string;
}) {
  if (shortId === null) {
    return (
      <bdi className="block truncate" title="The issue of this event was deleted">
        {visibleText(title)}
      </bdi>
    );
  }
  return (
    <Link
      href={`/${organizationSlug}/issues/${shortId}/events/${id}`}
      title={visibleText(title)}
      className="block truncate font-medium text-text no-underline hover:underline"
    >
      <bdi>{visibleText(title) || id}</bdi>
    </Link>
  );
}

const isIssue = ({ state }: RowsPlace, field: string | undefined): boolean =>
  state.page === 'errors' && field === 'issue';

function IssueLink({
  place: { organizationSlug },
  shortId,
  title,
}: {
  place: RowsPlace;
  shortId: string;
  title?: string | undefined;
}) {
  return (
    <Link
      href={`/${organizationSlug}/issues/${shortId}`}
      title={title && visibleText(title)}
      className="block text-accent underline-offset-2 hover:underline"
    >
      {title === undefined ? null : (
        <bdi className="block truncate font-medium text-text">{visibleText(title)}</bdi>
      )}
      <span className={cx('block', title !== undefined && 'text-xs')}>{shortId}</span>
    </Link>
  );
}

/** Opens the trace of a row at its span. */
export function TraceLink({
  place: { organizationSlug },
  row: { traceId, spanId },
}: {
  place: Pick<RowsPlace, 'organizationSlug'>;
  row: Pick<ListedRow, 'traceId' | 'spanId'>;
}) {
  if (traceId === null) return null;
  return (
    <Link
      href={withQuery(`/${organizationSlug}/traces/${traceId}`, { span: spanId })}
      className="shrink-0 text-accent underline-offset-2 hover:underline"
    >
      Trace
    </Link>
  );
}

/** A value that narrows the search to itself; plain text where no search could say that. */
function NarrowedLink({ place, field, value }: { place: RowsPlace; field: string; value: string }) {
  const label =
    value === '' ? (
      <span className="text-text-muted">(none)</span>
    ) : (
      <bdi>{visibleText(field === 'release' ? shortenHashes(value) : value)}</bdi>
    );
  const term = valueTerm(place.state.page, field, value);
  if (term === null) return <span className="block truncate">{label}</span>;
  return (
    <Link
      href={rowsHref(place, { query: withTerm(place.state.query, term) })}
      title={`Filter by ${visibleText(value) || 'none'}`}
      className="block truncate text-text no-underline hover:underline"
    >
      {label}
    </Link>
  );
}

function RowsHeading({ place, name, isNumber }: { place: RowsPlace; name: string; isNumber: boolean }) {
  return (
    <SortHeading
      name={name}
      sort={sortOf(place.state)}
      hrefOf={(sort) => rowsHref(place, { sort })}
      isNumber={isNumber}
      isLargestFirst={isNumber || name === 'timestamp'}
    >
      <bdi className="mono">{name}</bdi>
    </SortHeading>
  );
}

const US_PER_MS = 1_000;
