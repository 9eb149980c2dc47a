import { formatValue, formatValueExactly } from '#app/[org]/explore/rows/format-value.ts';
import { SortHeading } from '#app/[org]/explore/rows/sort-heading.tsx';
import { transactionHref } from '#app/[org]/transaction-href.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { GroupedRows } from '#product/explore/rows/explored-rows.ts';
import type { PerformanceTable as Shape } from '#product/performance/performance-tables.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Table, Td, Tr } from '#ui/table.tsx';
import { spansOfNumber } from './number-links.ts';
import { type PerformancePlace, performanceHref, spansHref } from './performance-state.ts';

/** Groups of spans with their numbers; each leads to what it counts, a transaction to its page. */
export function PerformanceTable({
  place,
  shape,
  table,
  label,
}: {
  place: PerformancePlace;
  shape: Shape;
  table: GroupedRows;
  label: string;
}) {
  const { organizationSlug, state } = place;
  const heading = {
    sort: state.sort ?? shape.sort,
    hrefOf: (sort: string) => performanceHref(place, { sort }),
  };
  return (
    <Table label={label} className="[&_td]:px-3 [&_th]:px-3">
      <thead>
        <tr>
          {shape.groupBy.map((each) => (
            <SortHeading key={each.field} name={each.field} isNumber={false} {...heading}>
              {each.label}
            </SortHeading>
          ))}
          {shape.columns.map(({ fn, label: name, hint }) => (
            <SortHeading key={fn} name={fn} isNumber title={hint} {...heading}>
              {name}
            </SortHeading>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.groups.map(({ keys, values }) => {
          const named = shape.groupBy.map(({ field }, index) => ({ field, value: keys[index] ?? '' }));
          const hrefOf = (fn: string | null) => {
            const { search, entries } = fn === null ? NOTHING_ELSE : spansOfNumber(fn);
            return spansHref(organizationSlug, state, {
              within: `${shape.within} ${search}`.trim(),
              keys: named,
              entries,
            });
          };
          return (
            <Tr key={keys.join('\n')}>
              {named.map(({ field, value }, index) => (
                <Td key={field} className={index === 0 ? 'min-w-40 max-w-80' : 'max-w-36'}>
                  {field === 'transaction' || index === 0 ? (
                    <Link
                      href={
                        field === 'transaction'
                          ? transactionHref(organizationSlug, keys.at(-1) ?? '', value, state.filters)
                          : hrefOf(null)
                      }
                      title={visibleText(value)}
                      className="block truncate font-medium text-text no-underline hover:underline"
                    >
                      <bdi>{visibleText(value) || '(none)'}</bdi>
                    </Link>
                  ) : (
                    <bdi className="block truncate text-text-muted">{visibleText(value) || '(none)'}</bdi>
                  )}
                </Td>
              ))}
              {shape.columns.map(({ fn, label: name, type: ownType }, index) => {
                const value = values[index] ?? null;
                const type = ownType ?? table.functions[index]?.type ?? 'number';
                return (
                  <Td key={fn} numeric title={formatValueExactly(value, type)}>
                    {value === null ? (
                      formatValue(value, type)
                    ) : (
                      <Link
                        href={hrefOf(fn)}
                        aria-label={`${name} ${formatValue(value, type)}`}
                        className="text-text no-underline hover:underline"
                      >
                        {formatValue(value, type)}
                      </Link>
                    )}
                  </Td>
                );
              })}
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}

const NOTHING_ELSE = { search: '', entries: {} };
