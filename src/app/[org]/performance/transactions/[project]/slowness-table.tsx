import { searchTerm } from '#app/[org]/search-box/search-term.ts';
import { visibleText } from '#lib/visible-text.ts';
import { type Slowness, slowerThan } from '#product/performance/get-transaction-summary.ts';
import { Card } from '#ui/card.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { ownSpansHref, type TransactionPlace } from './transaction-place.ts';

/** Values that the slowest 5% have more often than all transactions. */
export function SlownessTable({ place, slowness }: { place: TransactionPlace; slowness: Slowness | null }) {
  if (slowness === null) return null;
  const { thresholdMs, rows, selected, values } = slowness;
  const slow = slowerThan(thresholdMs);
  return (
    <Card
      flush
      id="slowness"
      title="What goes with slowness"
      actions={
        <Link
          href={ownSpansHref(place, slow, { sort: '-span.duration' })}
          className="text-text-muted text-xs no-underline hover:underline"
        >
          slowest 5%: {formatElapsed(thresholdMs * 1_000)} or more ({formatExact(selected)} of{' '}
          {formatExact(rows)})
        </Link>
      }
    >
      {values.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">
          No tag or attribute is clearly more frequent among the slowest transactions.
        </p>
      ) : (
        <Table
          label="What goes with slowness"
          columns={['Attribute', 'Value', numeric('Of the slowest'), numeric('Of all')]}
        >
          {values.map((each) => {
            const term = searchTerm(each.name, each.value);
            return (
              <Tr key={`${each.name}\n${each.value}`}>
                <Td className="mono max-w-48 truncate text-xs">
                  <bdi>{visibleText(each.name)}</bdi>
                </Td>
                <Td className="max-w-56">
                  <bdi className="block truncate">{visibleText(each.value)}</bdi>
                </Td>
                <Td numeric title={`${formatExact(each.selected)} of ${formatExact(selected)}`}>
                  <Narrowed place={place} search={term && `${slow} ${term}`}>
                    {formatShare(each.selected, selected)}
                  </Narrowed>
                </Td>
                <Td numeric title={`${formatExact(each.rows)} of ${formatExact(rows)}`}>
                  <Narrowed place={place} search={term}>
                    {formatShare(each.rows, rows)}
                  </Narrowed>
                </Td>
              </Tr>
            );
          })}
        </Table>
      )}
    </Card>
  );
}

/** Leads to what is counted; plain text where no search could say that. */
function Narrowed({
  place,
  search,
  children,
}: {
  place: TransactionPlace;
  search: string | null;
  children: string;
}) {
  if (search === null) return children;
  return (
    <Link
      href={ownSpansHref(place, search, { sort: '-span.duration' })}
      className="text-text no-underline hover:underline"
    >
      {children}
    </Link>
  );
}
