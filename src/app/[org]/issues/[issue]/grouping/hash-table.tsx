'use client';

import { useGroupingChange } from '#app/[org]/issues/grouping-changes/grouping-change-buttons.tsx';
import { SelectCell, SelectHeading, useSelection } from '#app/[org]/issues/use-selection.tsx';
import type { IssueHash } from '#product/grouping/grouping-change.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { unmergeAction } from '../../grouping-changes/grouping-actions.ts';

/** The hashes of an issue; chosen ones can be taken out. */
export function HashTable({
  organizationSlug,
  shortId,
  hashes,
  now,
  canUnmerge,
}: {
  organizationSlug: string;
  shortId: string;
  hashes: readonly IssueHash[];
  now: number;
  canUnmerge: boolean;
}) {
  const { selected: chosen, toggle, clear } = useSelection<string>();
  const { isPending, run } = useGroupingChange(organizationSlug);
  const keys = hashes.map(({ hash }) => hash);
  const selected = keys.filter((hash) => chosen.has(hash));
  const isSelectable = canUnmerge && hashes.length > 1;
  const leavesNone = selected.length === hashes.length;

  const unmerge = () =>
    run(
      () => unmergeAction({ organizationSlug, shortId, hashes: selected }),
      (result) => `${formatPlural(selected.length, 'hash', 'hashes')} moved to ${result.shortId}`,
      clear,
    );

  return (
    <Card
      flush
      id="hashes"
      title={formatPlural(hashes.length, 'hash', 'hashes')}
      actions={
        isSelectable ? (
          <Button
            size="sm"
            disabled={isPending || selected.length === 0 || leavesNone}
            title={leavesNone && selected.length > 0 ? 'At least one hash must stay in the issue' : undefined}
            onClick={unmerge}
          >
            {isPending ? 'Unmerging…' : 'Unmerge'}
          </Button>
        ) : null
      }
    >
      <p className="border-b px-4 py-2 text-text-muted text-xs">
        Events with any of these hashes belong to this issue.
        {isSelectable
          ? ' Unmerging moves the selected hashes, with all their past and future events, to a new issue.'
          : ''}
      </p>
      <Table label="Hashes">
        <thead>
          <tr>
            {isSelectable ? <SelectHeading /> : null}
            <Th>Hash</Th>
            <Th align="right">Events</Th>
            <Th>Last event</Th>
            <Th>Merged from</Th>
          </tr>
        </thead>
        <tbody>
          {hashes.map(({ hash, timesSeen, lastSeen, mergedFrom }) => (
            <Tr key={hash}>
              {isSelectable ? (
                <SelectCell
                  id={`hash-${hash}`}
                  name={hash}
                  isSelected={chosen.has(hash)}
                  onToggle={(range) => toggle(hash, { range, keys })}
                />
              ) : null}
              <Td className="mono text-xs">{hash}</Td>
              <Td align="right">{formatExact(timesSeen)}</Td>
              <Td className="whitespace-nowrap">
                {lastSeen === null ? (
                  <span className="text-text-faint">none yet</span>
                ) : (
                  <RelativeTime at={lastSeen} now={now} />
                )}
              </Td>
              <Td className="mono whitespace-nowrap text-xs">
                {mergedFrom ? mergedFrom.shortId : <span className="text-text-faint">–</span>}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
