import { shortenHashes } from '#lib/shorten-hashes.ts';
import { DAY_MS } from '#lib/time.ts';
import { Avatar } from '#ui/avatar.tsx';
import type { Tone } from '#ui/badge.tsx';
import { cx } from '#ui/cx.ts';
import { formatCount, formatExact, formatPlural } from '#ui/format-number.ts';
import { formatDuration } from '#ui/format-time.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { PlatformLogo } from '#ui/platform-logo/platform-logo.tsx';
import { RelativeTime, useTimeZone } from '#ui/relative-time.tsx';
import { Sparkline } from '#ui/sparkline.tsx';
import type { IssueRowView } from '../issue-view.ts';
import { PRIORITY_LABELS } from '../triage/priority-icon.tsx';
import { STATUS_APPEARANCE } from '../triage/status-badge.tsx';
import { statusLabel } from '../triage/status-labels.ts';
import { SelectBox } from '../use-selection.tsx';
import { RowIcon } from './row-icons.tsx';
import { rowFocusProps } from './use-stream-keys.ts';

/** One issue in the stream. The whole row opens it; the check box stands above that. */
export function IssueRow({
  href,
  row,
  bucketMs,
  isSelected,
  isLeaving,
  canTriage,
  now,
  onToggle,
}: {
  href: string;
  row: IssueRowView;
  bucketMs: number;
  isSelected: boolean;
  isLeaving: boolean;
  canTriage: boolean;
  now: number;
  /** With Shift, the issues since the last one follow. */
  onToggle: (range: boolean) => void;
}) {
  const timeZone = useTimeZone();
  const appearance = STATUS_APPEARANCE[row.substatus ?? row.status];
  const isDone = row.status !== 'unresolved';
  // That something is new is news for a day.
  const isOldNews = row.substatus === 'new' && now - row.firstSeen > DAY_MS;
  const label = lowerFirst(statusLabel(row, timeZone));
  return (
    <li
      className={cx(
        'issue-row',
        isSelected && 'issue-row-selected',
        isLeaving && 'pointer-events-none animate-leave',
      )}
    >
      <label htmlFor={`select-${row.id}`} className={canTriage ? undefined : 'invisible'}>
        <SelectBox id={`select-${row.id}`} isSelected={isSelected} onToggle={onToggle} />
        <span className="sr-only">{`Select ${row.shortId}`}</span>
      </label>
      <div className="min-w-0">
        <div className="issue-row-title">
          <LevelMark level={row.level} />
          <Link href={href} {...rowFocusProps(row.id)}>
            <bdi className={isDone ? 'text-text-muted' : undefined}>{row.heading}</bdi>
            {row.message ? (
              <>
                {' '}
                <bdi>{row.message}</bdi>
              </>
            ) : null}
          </Link>
        </div>
        <div className="issue-row-facts">
          <PlatformLogo platform={row.platform} label={row.platform} size="sm" />
          {row.place ? (
            <span className="issue-row-place">
              <bdi title={row.place}>{row.place}</bdi>
              <Dot />
            </span>
          ) : null}
          <b>{row.shortId}</b>
          {appearance?.icon && !isOldNews ? (
            <>
              <Dot />
              <span
                className={cx('issue-row-status', isDone && 'max-w-72 shrink', TONE_COLORS[appearance.tone])}
                title={label}
              >
                <RowIcon name={row.substatus ?? row.status} />
                <span>{shortenHashes(label)}</span>
              </span>
            </>
          ) : null}
          {row.lastRelease ? (
            <span className="issue-row-release">
              <Dot />
              <bdi title={`Last seen in ${row.lastRelease}`}>{shortenHashes(row.lastRelease)}</bdi>
            </span>
          ) : null}
        </div>
      </div>
      <div className="issue-row-numbers">
        <div className="issue-row-trend">
          {row.activity ? <Trend activity={row.activity} bucketMs={bucketMs} /> : null}
        </div>
        <Count
          className="w-14 font-medium"
          value={row.activity ? row.activity.events : row.timesSeen}
          title={`${formatPlural(row.timesSeen, 'event')} total`}
          word="event"
        />
        <Count
          className="issue-row-users"
          value={row.activity?.users ?? null}
          title={row.activity ? `${formatPlural(row.activity.users, 'user')} in this time range` : ''}
          word="user"
        />
        <RelativeTime at={row.lastSeen} now={now} variant="short" className="issue-row-last" />
        <RelativeTime at={row.firstSeen} now={now} variant="short" className="issue-row-age" />
        <span className="issue-row-priority" title={`Priority: ${PRIORITY_LABELS[row.priority]}`}>
          <RowIcon name={row.priority} className="size-4" />
          <span className="sr-only">{`Priority: ${PRIORITY_LABELS[row.priority]}`}</span>
        </span>
        <div className="issue-row-assignee">
          {row.assignee ? (
            <Avatar
              name={row.assignee.name}
              label={`Assigned to ${row.assignee.name}`}
              className="relative z-10"
            />
          ) : null}
        </div>
      </div>
    </li>
  );
}

function Trend({
  activity,
  bucketMs,
}: {
  activity: { buckets: readonly number[]; events: number };
  bucketMs: number;
}) {
  const peak = Math.max(0, ...activity.buckets);
  return (
    <>
      <Sparkline
        values={activity.buckets}
        label={`Highest: ${formatPlural(peak, 'event')} in ${formatDuration(bucketMs)}`}
      />
      <span aria-hidden title={`Tallest bar: ${formatPlural(peak, 'event')} in ${formatDuration(bucketMs)}`}>
        {formatCount(peak)}
      </span>
    </>
  );
}

function Count({
  value,
  title,
  word,
  className,
}: {
  value: number | null;
  title: string;
  word: string;
  className: string;
}) {
  return (
    <span className={className} title={value === null ? undefined : `${formatExact(value)} · ${title}`}>
      {value === null ? '–' : formatCount(value)}
      <span className="sr-only">{value === 1 ? ` ${word}` : ` ${word}s`}</span>
    </span>
  );
}

function Dot() {
  return <i aria-hidden>·</i>;
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

const TONE_COLORS: Readonly<Record<Tone, string>> = {
  info: 'text-info',
  warning: 'text-warning',
  danger: 'text-danger',
  success: 'text-success',
  neutral: 'text-text-muted',
  accent: 'text-accent',
};
