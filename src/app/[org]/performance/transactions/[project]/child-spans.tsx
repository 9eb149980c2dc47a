import { formatValue } from '#app/[org]/explore/rows/format-value.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { GroupedRows } from '#product/explore/rows/explored-rows.ts';
import { childSearch } from '#product/performance/get-transaction-summary.ts';
import { Card } from '#ui/card.tsx';
import { formatRate } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { spansOfNumber } from '../../number-links.ts';
import { spansHref } from '../../performance-state.ts';
import type { TransactionPlace } from './transaction-place.ts';

const SHARE = {
  heading: 'Time',
  align: 'right',
  title: 'Sum of the durations as a share of the time of all transactions; more than 100% when spans overlap',
} as const;

/** What the spans of a transaction did, those with most time first. */
export function ChildSpans({
  place: { organizationSlug, projectSlug, transaction, state },
  table,
  totalMs,
}: {
  place: TransactionPlace;
  table: GroupedRows;
  /** How long all transactions took together. */
  totalMs: number;
}) {
  return (
    <Card flush id="spans" title="Where the time goes">
      {table.groups.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">
          No spans below this transaction in the selected time range.
        </p>
      ) : (
        <Table
          label="Where the time goes"
          columns={['Span', SHARE, numeric('Count'), numeric('p50'), numeric('p95')]}
        >
          {table.groups.map(({ keys: [op = '', name = ''], values }) => {
            const hrefOf = (fn: string | null) => {
              const { search, entries } = fn === null ? { search: '', entries: {} } : spansOfNumber(fn);
              return spansHref(
                organizationSlug,
                // The search is about the transactions.
                { ...state, query: '' },
                {
                  within: `${childSearch(transaction)} ${search}`.trim(),
                  keys: [
                    { field: 'project', value: projectSlug },
                    { field: 'span.op', value: op },
                    { field: 'span.normalized_description', value: name },
                  ],
                  entries,
                },
              );
            };
            return (
              <Tr key={`${op}\n${name}`}>
                <Td className="min-w-40 max-w-72">
                  <Link
                    href={hrefOf(null)}
                    title={visibleText(name)}
                    className="block truncate text-text no-underline hover:underline"
                  >
                    <bdi>{visibleText(name)}</bdi>
                  </Link>
                  <span className="block truncate text-text-muted text-xs">{visibleText(op)}</span>
                </Td>
                <Td numeric>
                  <Link
                    href={hrefOf('sum(span.duration)')}
                    className="text-text no-underline hover:underline"
                  >
                    {totalMs > 0 ? formatRate((values.at(-1) ?? 0) / totalMs) : '–'}
                  </Link>
                </Td>
                {table.functions.slice(0, -1).map(({ name: fn, type }, index) => (
                  <Td key={fn} numeric>
                    <Link href={hrefOf(fn)} className="text-text no-underline hover:underline">
                      {formatValue(values[index] ?? null, type)}
                    </Link>
                  </Td>
                ))}
              </Tr>
            );
          })}
        </Table>
      )}
    </Card>
  );
}
