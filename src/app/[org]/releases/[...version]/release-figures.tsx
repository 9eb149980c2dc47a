import type { ReactNode } from 'react';
import { ReleaseName, releaseHref } from '#app/[org]/release-name.tsx';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import type { ReleaseDetails } from '#product/releases/get-release.ts';
import type { ReleasePerformance } from '#product/releases/get-release-performance.ts';
import type { ReleaseRow } from '#product/releases/release-row.ts';
import { Card } from '#ui/card.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import {
  formatCount,
  formatCountChange,
  formatExact,
  formatRate,
  formatRateChange,
} from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';

const US_PER_MS = 1_000;

/** A release with how its transactions ran; undefined without any. */
type Measured = ReleaseRow & { performance: ReleasePerformance | undefined };

/** What is compared; a share has a change in points, a count or a duration one in percent. */
type Figure = {
  label: string;
  kind: 'count' | 'share' | 'duration';
  /** What there is none of where there is no value. */
  source: 'sessions' | 'users' | 'transactions';
  /** Whether more of it is better; null where it says nothing. */
  moreIsBetter: boolean | null;
  /** null without data. */
  read(release: Measured): number | null;
};

const count = (label: string, moreIsBetter: boolean | null, read: Figure['read']): Figure => ({
  ...{ label, moreIsBetter, read, kind: 'count', source: 'sessions' },
});
const share = (label: string, moreIsBetter: boolean | null, read: Figure['read']): Figure => ({
  ...{ label, moreIsBetter, read, kind: 'share', source: 'sessions' },
});

const FIGURES: readonly Figure[] = [
  share('Crash-free sessions', true, ({ health }) => health?.crashFreeSessions ?? null),
  {
    ...share('Crash-free users', true, ({ health }) => health?.crashFreeUsers ?? null),
    source: 'users',
  },
  share('Errored sessions', false, ({ health }) => health?.errored ?? null),
  count('Sessions', null, ({ health }) => health?.sessions ?? null),
  share('Share of sessions', null, ({ health }) => health?.share ?? null),
  count('New issues', false, (row) => row.newIssues),
  count('Events', false, ({ events }) => events?.events ?? 0),
  count('Affected users', false, ({ events }) => events?.users ?? 0),
  {
    ...share('Failed transactions', false, ({ performance }) => performance?.failureRate ?? null),
    source: 'transactions',
  },
  {
    ...count('Transactions, p95', false, ({ performance }) => performance?.p95Ms ?? null),
    ...{ kind: 'duration', source: 'transactions' },
  },
];

/** The figures of a release in the chosen time, beside those of the one before. */
export function ReleaseFigures({
  organizationSlug,
  release,
  entries,
  performance,
}: {
  organizationSlug: string;
  release: ReleaseDetails;
  /** What the page is filtered by. */
  entries: QueryEntries;
  /** By version. */
  performance: ReadonlyMap<string, ReleasePerformance>;
}) {
  const measured = (row: ReleaseRow): Measured => ({ ...row, performance: performance.get(row.version) });
  const own = measured(release);
  const older = release.older && measured(release.older);
  return (
    <Card flush id="figures" title={older ? 'Compared with the previous release' : 'Stats'}>
      <Table label="Release stats">
        <thead>
          <tr>
            <Th>In the selected time range</Th>
            <Th align="right">This release</Th>
            {older ? (
              <>
                <Th align="right">
                  <Link
                    href={withQuery(releaseHref(organizationSlug, older.version), entries)}
                    className="inline-block max-w-40 truncate align-bottom text-text-muted underline underline-offset-2"
                  >
                    <ReleaseName version={older.version} />
                  </Link>
                </Th>
                <Th align="right">Change</Th>
              </>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {FIGURES.map((figure) => (
            <Tr key={figure.label}>
              <Td>{figure.label}</Td>
              <Td align="right" className="font-medium">
                <Value figure={figure} value={figure.read(own)} />
              </Td>
              {older ? (
                <>
                  <Td align="right">
                    <Value figure={figure} value={figure.read(older)} />
                  </Td>
                  <Td align="right">
                    <Change figure={figure} value={figure.read(own)} before={figure.read(older)} />
                  </Td>
                </>
              ) : null}
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

function Value({ figure, value }: { figure: Figure; value: number | null }): ReactNode {
  if (value === null) return <span className="text-text-faint">no {figure.source}</span>;
  switch (figure.kind) {
    case 'share':
      return formatRate(value);
    case 'duration':
      return formatElapsed(value * US_PER_MS);
    case 'count':
      return <span title={formatExact(value)}>{formatCount(value)}</span>;
  }
}

function Change({
  figure,
  value,
  before,
}: {
  figure: Figure;
  value: number | null;
  before: number | null;
}): ReactNode {
  if (value === null || before === null) return <span className="text-text-faint">–</span>;
  const change = figure.kind === 'share' ? formatRateChange(value, before) : formatCountChange(value, before);
  if (change === null) return <span className="text-text-faint">no change</span>;
  const isBetter = figure.moreIsBetter === null ? null : value > before === figure.moreIsBetter;
  // Words as well, since not everybody sees the color.
  return (
    <span className={isBetter === null ? undefined : isBetter ? 'text-success' : 'text-danger'}>
      {change}
      {isBetter === null ? null : <span className="sr-only">{isBetter ? ', better' : ', worse'}</span>}
    </span>
  );
}
