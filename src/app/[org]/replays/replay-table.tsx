import { visibleText } from '#lib/visible-text.ts';
import type { ReplaySummary } from '#storage/ports/telemetry.ts';
import { formatCount } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { replayHref } from '../replay-href.ts';
import { formatClock } from './recording/timeline.ts';
import { replayUser, versioned } from './replay-view.ts';

/** One row for each replay, which leads to its player. */
export function ReplayTable({
  organizationSlug,
  replays,
  slugOf,
  now,
}: {
  organizationSlug: string;
  replays: readonly ReplaySummary[];
  slugOf: (projectId: number) => string;
  now: number;
}) {
  return (
    <Table label="Replays">
      <thead>
        <tr>
          <Th>User</Th>
          <Th>Started</Th>
          <Th align="right">Duration</Th>
          <Th align="right">Errors</Th>
          <Th align="right" title="Five or more clicks in a row on something that does not respond">
            Rage clicks
          </Th>
          <Th align="right" title="Clicks after which nothing changed for 7 seconds">
            Dead clicks
          </Th>
          <Th align="right">Pages</Th>
          <Th>Browser and OS</Th>
        </tr>
      </thead>
      <tbody>
        {replays.map((replay) => (
          <Tr key={`${replay.projectId}:${replay.replayId}`}>
            <Td className="min-w-44 max-w-80 max-sm:max-w-52">
              <Link
                href={replayHref(organizationSlug, replay.replayId)}
                className="block truncate font-medium text-text no-underline hover:underline"
              >
                <bdi>{replayUser(replay)}</bdi>
              </Link>
              <span className="flex gap-2 text-text-muted text-xs">
                <span className="shrink-0">{slugOf(replay.projectId)}</span>
                <bdi className="min-w-0 truncate">{visibleText(replay.urls[0] ?? '')}</bdi>
              </span>
            </Td>
            <Td className="whitespace-nowrap">
              <RelativeTime at={replay.startedAt} now={now} />
            </Td>
            <Td align="right">
              <span className="numbers">{formatClock(replay.finishedAt - replay.startedAt)}</span>
            </Td>
            <Figure count={replay.errorIds.length} tone="text-danger" />
            <Figure count={replay.rageClicks} tone="text-warning" />
            <Figure count={replay.deadClicks} tone="text-warning" />
            <Figure count={replay.urls.length} tone="" />
            <Td className="whitespace-nowrap">
              <bdi>{versioned(replay.browserName, replay.browserVersion)}</bdi>
              <bdi className="block text-text-muted text-xs">
                {versioned(replay.osName, replay.osVersion)}
              </bdi>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function Figure({ count, tone }: { count: number; tone: string }) {
  return (
    <Td align="right">
      <span className={`numbers ${count > 0 ? tone : 'text-text-faint'}`}>{formatCount(count)}</span>
    </Td>
  );
}
