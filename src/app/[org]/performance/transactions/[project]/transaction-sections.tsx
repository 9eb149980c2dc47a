import { formatValue, formatValueExactly } from '#app/[org]/explore/rows/format-value.ts';
import { releaseHref } from '#app/[org]/release-name.tsx';
import { withQuery } from '#app/url-state.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import { type TransactionSummary, totalOf } from '#product/performance/get-transaction-summary.ts';
import { PERFORMANCE_TABLES } from '#product/performance/performance-tables.ts';
import type { ChartMark } from '#ui/bar-chart.tsx';
import { Card } from '#ui/card.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { spansOfNumber } from '../../number-links.ts';
import { TrendCharts } from '../../trend-charts.tsx';
import { ChildSpans } from './child-spans.tsx';
import { SlownessTable } from './slowness-table.tsx';
import { ownSpansHref, type TransactionPlace } from './transaction-place.ts';

type Part = { place: TransactionPlace; summary: TransactionSummary; now: number };

/** All that is known of a transaction that ran. */
export function TransactionSections(part: Part) {
  const { place, summary } = part;
  return (
    <>
      <Totals {...part} />
      <TrendCharts trend={summary.trend} unit="transactions" marks={marksOf(summary)} />
      <div className="mb-3 grid gap-3 xl:grid-cols-2">
        <ChildSpans
          place={place}
          table={summary.spans}
          totalMs={totalOf(summary.totals, 'sum(span.duration)') ?? 0}
        />
        <SlownessTable place={place} slowness={summary.slowness} />
        <Examples {...part} />
        <Releases {...part} />
      </div>
    </>
  );
}

/** Where releases began to run it; the first of the range may have run before. */
function marksOf({ releases, trend }: TransactionSummary): readonly ChartMark[] {
  const firstSeen = releases.functions.findIndex(({ name }) => name === 'first_seen()');
  return releases.groups.flatMap(({ keys: [version = ''], values }) => {
    const atMs = values[firstSeen] ?? null;
    if (version === '' || atMs === null || atMs < trend.range.bucketsFromMs + trend.bucketMs) return [];
    return [{ atMs, label: `First seen in ${shortenHashes(visibleText(version))}` }];
  });
}

function Totals({ place, summary }: Part) {
  return (
    <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
      {PERFORMANCE_TABLES.transactions.columns.map(({ fn, label, hint }) => {
        const value = totalOf(summary.totals, fn);
        const type = summary.totals.functions.find(({ name }) => name === fn)?.type ?? 'number';
        const { search, entries } = spansOfNumber(fn);
        return (
          <div key={fn} className="flex flex-col-reverse">
            <dt className="text-text-muted text-xs" title={hint}>
              {label}
            </dt>
            <dd className="numbers font-semibold text-xl" title={formatValueExactly(value, type)}>
              <Link
                href={ownSpansHref(place, search, entries)}
                className="text-text no-underline hover:underline"
              >
                {formatValue(value, type)}
              </Link>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Examples({ place: { organizationSlug }, summary, now }: Part) {
  return (
    <Card flush id="examples" title="Examples">
      <Table label="Examples" columns={['Trace', numeric('Duration'), 'Status', 'Release', 'User', 'When']}>
        {summary.examples.map(({ label, row, durationMs }) => {
          const [, , status = '', release = '', user = ''] = row.values;
          return (
            <Tr key={row.id}>
              <Td className="whitespace-nowrap">
                {row.traceId === null ? (
                  label
                ) : (
                  <Link
                    href={withQuery(`/${organizationSlug}/traces/${row.traceId}`, { span: row.spanId })}
                    className="text-accent underline-offset-2 hover:underline"
                  >
                    {label}
                  </Link>
                )}
              </Td>
              <Td numeric>{formatElapsed(durationMs * US_PER_MS)}</Td>
              {[status, release, user].map((text, index) => (
                <Td key={index === 0 ? 'status' : index === 1 ? 'release' : 'user'} className="max-w-40">
                  <bdi className="block truncate">{shortenHashes(visibleText(text)) || '–'}</bdi>
                </Td>
              ))}
              <Td className="whitespace-nowrap">
                <RelativeTime at={row.occurredAtUs / US_PER_MS} now={now} />
              </Td>
            </Tr>
          );
        })}
      </Table>
    </Card>
  );
}

function Releases({ place, summary: { releases }, now }: Part) {
  const { organizationSlug, projectSlug } = place;
  return (
    <Card flush id="releases" title="Releases compared">
      <Table
        label="Releases compared"
        columns={[
          'Release',
          numeric('Count'),
          numeric('p50'),
          numeric('p95'),
          numeric('Failure rate'),
          'First seen',
        ]}
      >
        {releases.groups.map(({ keys: [version = ''], values }) => (
          <Tr key={version}>
            <Td className="max-w-56">
              {version === '' ? (
                <span className="text-text-muted">(none)</span>
              ) : (
                <Link
                  href={withQuery(releaseHref(organizationSlug, version), { project: projectSlug })}
                  title={visibleText(version)}
                  className="block truncate font-medium text-text no-underline hover:underline"
                >
                  <bdi>{shortenHashes(visibleText(version))}</bdi>
                </Link>
              )}
            </Td>
            {releases.functions.slice(0, -1).map(({ name, type }, index) => {
              const { search, entries } = spansOfNumber(name);
              const field = { field: 'release', value: version };
              return (
                <Td key={name} numeric>
                  <Link
                    href={ownSpansHref(place, search, entries, field)}
                    className="text-text no-underline hover:underline"
                  >
                    {formatValue(values[index] ?? null, type)}
                  </Link>
                </Td>
              );
            })}
            <Td className="whitespace-nowrap">
              <RelativeTime at={values.at(-1) ?? 0} now={now} />
            </Td>
          </Tr>
        ))}
      </Table>
    </Card>
  );
}

const US_PER_MS = 1_000;
