'use client';

import { ConfirmedMerge } from '#app/[org]/issues/grouping-changes/merge-button.tsx';
import { SelectCell, SelectHeading, useSelection } from '#app/[org]/issues/use-selection.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact, formatPlural, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';

type SimilarRow = {
  id: number;
  shortId: string;
  heading: string;
  message: string;
  culprit: string;
  timesSeen: number;
  lastSeen: number;
  /** From 0 to 1. */
  titleAlike: number;
  groupingAlike: number | null;
};

/** Similar issues, best match first; selected ones become part of the issue that is looked at. */
export function SimilarTable({
  organizationSlug,
  issue,
  similar,
  similarityMin,
  now,
  canMerge,
}: {
  organizationSlug: string;
  issue: { id: number; shortId: string };
  similar: readonly SimilarRow[];
  /** From 0 to 1: what is below is not listed. */
  similarityMin: number;
  now: number;
  canMerge: boolean;
}) {
  const { selected: chosen, toggle, clear } = useSelection<number>();
  const keys = similar.map(({ id }) => id);
  const selected = keys.filter((id) => chosen.has(id));

  return (
    <Card
      flush
      id="similar"
      title={formatPlural(similar.length, 'similar issue')}
      actions={
        canMerge ? (
          <ConfirmedMerge
            size="sm"
            organizationSlug={organizationSlug}
            issueIds={[issue.id, ...selected]}
            targetId={issue.id}
            disabled={selected.length === 0}
            onDone={clear}
          >
            Merge into {issue.shortId}
          </ConfirmedMerge>
        ) : null
      }
    >
      <p className="border-b px-4 py-2 text-text-muted text-xs">
        Recent issues of this project that share at least {formatShare(similarityMin, 1)} of their message or
        stack trace with this one, best match first.
      </p>
      <Table label="Similar issues">
        <thead>
          <tr>
            {canMerge ? <SelectHeading /> : null}
            <Th>Issue</Th>
            <Th align="right">Similar message</Th>
            <Th align="right">Similar stack</Th>
            <Th align="right">Events</Th>
            <Th>Last seen</Th>
            <Th className="relative">
              <span className="sr-only">Compare</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {similar.map((row) => (
            <Tr key={row.id}>
              {canMerge ? (
                <SelectCell
                  id={`similar-${row.id}`}
                  name={row.shortId}
                  isSelected={chosen.has(row.id)}
                  onToggle={(range) => toggle(row.id, { range, keys })}
                />
              ) : null}
              <Td className="min-w-64 max-w-[36rem]">
                <Link
                  href={`/${organizationSlug}/issues/${row.shortId}`}
                  className="break-anything line-clamp-2 text-text no-underline hover:underline"
                >
                  <bdi className="font-medium">{row.heading}</bdi>{' '}
                  <bdi className="text-text-muted">{row.message}</bdi>
                </Link>
                <span className="block truncate text-text-muted text-xs">
                  <span className="mono">{row.shortId}</span> <bdi>{row.culprit}</bdi>
                </span>
              </Td>
              <Td align="right">{formatShare(row.titleAlike, 1)}</Td>
              <Td align="right">{row.groupingAlike === null ? '–' : formatShare(row.groupingAlike, 1)}</Td>
              <Td align="right">{formatExact(row.timesSeen)}</Td>
              <Td className="whitespace-nowrap">
                <RelativeTime at={row.lastSeen} now={now} />
              </Td>
              <Td className="whitespace-nowrap">
                <Link
                  href={`/${organizationSlug}/issues/${issue.shortId}/grouping?with=${row.shortId}#compare`}
                  className="text-accent text-xs underline-offset-2 hover:underline"
                >
                  Compare
                </Link>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
