import { ArrowDown, ArrowUp } from 'lucide-react';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { EventGroup, GroupSort } from '#storage/ports/event-explore.ts';
import { formatCount, formatExact, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { type ExplorePlace, exploreHref } from '../explore-state.ts';
import { narrowedHref } from './event-table.tsx';

/** The values of a field; each leads to its own events. `total` counts the events of all of them. */
export function GroupTable({
  organizationSlug,
  state,
  field,
  groups,
  total,
  now,
}: ExplorePlace & {
  field: string;
  groups: readonly EventGroup[];
  total: number;
  now: number;
}) {
  const place = { organizationSlug, state };
  return (
    <Table label={`Events by ${field}`}>
      <thead>
        <tr>
          <SortHeading {...place} sort="value" label={field} />
          <SortHeading {...place} sort="events" label="Events" />
          <Th>
            <span className="sr-only">Share of all events</span>
          </Th>
          <SortHeading {...place} sort="users" label="Users" />
          <SortHeading {...place} sort="first" label="First" />
          <SortHeading {...place} sort="last" label="Last" />
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <Tr key={group.value}>
            <Td className="max-w-96">
              <Value {...place} field={field} value={group.value} />
            </Td>
            <Td align="right" title={formatExact(group.events)}>
              {formatCount(group.events)}
            </Td>
            <Td className="w-40">
              <span className="flex items-center gap-2">
                <span aria-hidden className="h-1.5 w-20 overflow-hidden rounded-full bg-surface-pressed">
                  <span
                    className="block h-full bg-chart"
                    style={{ width: `${Math.min(100, (group.events / Math.max(1, total)) * 100)}%` }}
                  />
                </span>
                <span className="numbers text-text-muted text-xs">{formatShare(group.events, total)}</span>
              </span>
            </Td>
            <Td align="right" title={formatExact(group.users)}>
              {formatCount(group.users)}
            </Td>
            <Td className="whitespace-nowrap">
              <RelativeTime at={group.firstSeen} now={now} />
            </Td>
            <Td className="whitespace-nowrap">
              <RelativeTime at={group.lastSeen} now={now} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function SortHeading({
  organizationSlug,
  state,
  sort,
  label,
}: ExplorePlace & { sort: GroupSort; label: string }) {
  const isCurrent = state.groupSort === sort;
  const Arrow = state.isDescending ? ArrowDown : ArrowUp;
  // Counts and times are asked for from the top, names from the beginning.
  const isDescending = isCurrent ? !state.isDescending : sort !== 'value';
  return (
    <Th
      align={sort === 'events' || sort === 'users' ? 'right' : 'left'}
      aria-sort={isCurrent ? (state.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <Link
        href={exploreHref(organizationSlug, state, { groupSort: sort, isDescending })}
        className="inline-flex items-center gap-1 text-text-muted no-underline hover:underline"
      >
        <bdi className={sort === 'value' ? 'mono' : undefined}>{label}</bdi>
        {isCurrent ? <Arrow aria-hidden className="size-3" /> : null}
      </Link>
    </Th>
  );
}

function Value({ organizationSlug, state, field, value }: ExplorePlace & { field: string; value: string }) {
  const href = narrowedHref(organizationSlug, state, field, value);
  const label =
    value === '' ? (
      <span className="text-text-muted">(none)</span>
    ) : (
      <bdi>{visibleText(field === 'release' ? shortenHashes(value) : value)}</bdi>
    );
  if (href === null) return <span className="block truncate">{label}</span>;
  return (
    <Link
      href={href}
      title={visibleText(value)}
      className="block truncate text-text no-underline hover:underline"
    >
      {label}
    </Link>
  );
}
