import { SortHeading } from '#app/[org]/explore/rows/sort-heading.tsx';
import { VitalValue } from '#app/[org]/traces/vital-value.tsx';
import { transactionHref } from '#app/[org]/transaction-href.ts';
import { WEB_VITALS } from '#domain/traces/web-vitals.ts';
import { visibleText } from '#lib/visible-text.ts';
import { VITAL_SPANS, vitalFunction, type WebVitals } from '#product/performance/get-web-vitals.ts';
import { formatCount, formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { spansOfNumber } from '../number-links.ts';
import { type PerformancePlace, performanceHref, spansHref } from '../performance-state.ts';
import { VitalScore } from './vital-score.tsx';

/** The vitals of each page; a vital leads to the spans that measured it. */
export function VitalsTable({ place, pages }: { place: PerformancePlace; pages: WebVitals['pages'] }) {
  const { organizationSlug, state } = place;
  const heading = {
    sort: state.sort ?? '-count()',
    hrefOf: (sort: string) => performanceHref(place, { sort }),
  };
  return (
    <Table label="Web vitals of pages">
      <thead>
        <tr>
          <SortHeading name="transaction" isNumber={false} {...heading}>
            Page
          </SortHeading>
          <SortHeading name="project" isNumber={false} {...heading}>
            Project
          </SortHeading>
          <Th align="right">Score</Th>
          {WEB_VITALS.map(({ id, label, name }) => (
            <SortHeading key={id} name={vitalFunction(id)} isNumber title={`${name}, p75`} {...heading}>
              {label}
            </SortHeading>
          ))}
          <SortHeading name="count()" isNumber title="Spans that measured a vital" {...heading}>
            Count
          </SortHeading>
        </tr>
      </thead>
      <tbody>
        {pages.map(({ transaction, projectSlug, p75, score, count }) => {
          const keys = [
            { field: 'transaction', value: transaction },
            { field: 'project', value: projectSlug },
          ];
          return (
            <Tr key={`${projectSlug} ${transaction}`}>
              <Td className="min-w-40 max-w-96">
                <Link
                  href={transactionHref(organizationSlug, projectSlug, transaction, state.filters)}
                  title={visibleText(transaction)}
                  className="block truncate font-medium text-text no-underline hover:underline"
                >
                  <bdi>{visibleText(transaction) || '(none)'}</bdi>
                </Link>
              </Td>
              <Td className="max-w-40 truncate text-text-muted">{projectSlug}</Td>
              <Td numeric className="font-medium">
                <VitalScore score={score} />
              </Td>
              {WEB_VITALS.map((vital) => {
                const value = p75[vital.id];
                const { search, entries } = spansOfNumber(vitalFunction(vital.id));
                return (
                  <Td key={vital.id} numeric>
                    {value === undefined ? (
                      '–'
                    ) : (
                      <Link
                        href={spansHref(organizationSlug, state, { within: search, keys, entries })}
                        className="no-underline hover:underline"
                      >
                        <VitalValue vital={vital} value={value} />
                      </Link>
                    )}
                  </Td>
                );
              })}
              <Td numeric title={formatExact(count)}>
                <Link
                  href={spansHref(organizationSlug, state, { within: `(${VITAL_SPANS})`, keys })}
                  className="text-text no-underline hover:underline"
                >
                  {formatCount(count)}
                </Link>
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
