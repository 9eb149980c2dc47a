'use client';

import { useGroupingChange } from '#app/[org]/issues/grouping-changes/grouping-change-buttons.tsx';
import { SelectCell, SelectHeading, useSelection } from '#app/[org]/issues/use-selection.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { mergeAction } from '../../grouping-changes/grouping-actions.ts';

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

/** Similar issues; chosen ones become part of the issue that is looked at. */
export function SimilarTable({
  organizationSlug,
  issue,
  similar,
  now,
  canMerge,
}: {
  organizationSlug: string;
  issue: { id: number; shortId: string };
  similar: readonly SimilarRow[];
  now: number;
  canMerge: boolean;
}) {
  const { selected: chosen, toggle, clear } = useSelection<number>();
  const { isPending, run } = useGroupingChange(organizationSlug);
  const keys = similar.map(({ id }) => id);
  const selected = keys.filter((id) => chosen.has(id));

  const merge = () =>
    run(
      () => mergeAction({ organizationSlug, issueIds: [issue.id, ...selected], targetId: issue.id }),
      (result) => `${formatPlural(selected.length, 'issue')} merged into ${result.shortId}`,
      clear,
    );

  return (
    <Card
      flush
      id="similar"
      title={formatPlural(similar.length, 'similar issue')}
      actions={
        canMerge ? (
          <Button size="sm" disabled={isPending || selected.length === 0} onClick={merge}>
            {isPending ? 'Merging…' : `Merge into ${issue.shortId}`}
          </Button>
        ) : null
      }
    >
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
              <Td align="right">{percent(row.titleAlike)}</Td>
              <Td align="right">{row.groupingAlike === null ? '–' : percent(row.groupingAlike)}</Td>
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

const percent = (share: number): string => `${Math.round(share * 100)}%`;
