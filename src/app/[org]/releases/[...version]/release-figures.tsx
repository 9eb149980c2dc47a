import type { ReactNode } from 'react';
import { ReleaseName, releaseHref } from '#app/[org]/release-name.tsx';
import type { ReleaseDetails } from '#product/releases/get-release.ts';
import type { ReleaseRow } from '#product/releases/release-row.ts';
import { Card } from '#ui/card.tsx';
import {
  formatCount,
  formatCountChange,
  formatExact,
  formatRate,
  formatRateChange,
} from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';

/** What is compared; a share has a change in points, a count one in percent. */
type Figure = {
  label: string;
  isShare: boolean;
  /** Whether more of it is better; null where it says nothing. */
  moreIsBetter: boolean | null;
  /** null without data. */
  read(release: ReleaseRow): number | null;
};

const figure = (
  label: string,
  moreIsBetter: boolean | null,
  read: Figure['read'],
  isShare = false,
): Figure => ({ label, isShare, moreIsBetter, read });

const FIGURES: readonly Figure[] = [
  figure('Events', false, (row) => row.events?.events ?? 0),
  figure('Affected users', false, (row) => row.events?.users ?? 0),
  figure('New issues', false, (row) => row.newIssues),
  figure('Sessions', null, (row) => row.health?.sessions ?? null),
  figure('Adoption', null, (row) => row.health?.adoption ?? null, true),
  figure('Crash-free sessions', true, (row) => row.health?.crashFreeSessions ?? null, true),
  figure('Crash-free users', true, (row) => row.health?.crashFreeUsers ?? null, true),
];

/** The figures of a release in the chosen time, beside those of the one before. */
export function ReleaseFigures({
  organizationSlug,
  release,
}: {
  organizationSlug: string;
  release: ReleaseDetails;
}) {
  const { older } = release;
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
                    href={releaseHref(organizationSlug, older.version)}
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
                <Value figure={figure} value={figure.read(release)} />
              </Td>
              {older ? (
                <>
                  <Td align="right">
                    <Value figure={figure} value={figure.read(older)} />
                  </Td>
                  <Td align="right">
                    <Change figure={figure} value={figure.read(release)} before={figure.read(older)} />
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
  if (value === null) return <span className="text-text-faint">no sessions</span>;
  return figure.isShare ? formatRate(value) : <span title={formatExact(value)}>{formatCount(value)}</span>;
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
  const change = figure.isShare ? formatRateChange(value, before) : formatCountChange(value, before);
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
