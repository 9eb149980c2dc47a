import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { cx } from '#ui/cx.ts';
import { formatExact, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { tagSearch } from '../event/tag-list.tsx';

/** One value of a tag with its share as a bar; leads to the events of the issue that carry it. */
export function ShareBar({
  issueHref,
  time,
  tagKey,
  value,
  label = value,
  count,
  total,
  seen,
}: {
  issueHref: string;
  /** The time that was counted over, as it stands in the address. */
  time: QueryEntries;
  tagKey: string;
  value: string;
  /** What is shown of it, when not the value itself. */
  label?: string;
  count: number;
  /** Events that carry the tag. */
  total: number;
  /** When it was seen, and the present: then the number stands beside its share, and when it was seen last. */
  seen?: { firstSeen: number; lastSeen: number; now: number };
}) {
  const search = tagSearch(tagKey, value);
  const name = value === '' ? <i className="text-text-faint">empty</i> : <bdi>{visibleText(label)}</bdi>;
  const look = 'relative flex min-h-6 items-center justify-between gap-3 px-1.5 text-xs';
  const content = (
    <>
      <span
        aria-hidden
        className="absolute inset-y-0 left-0 rounded-xs bg-chart-soft opacity-60"
        style={{ width: `${Math.max(1, (count / total) * 100)}%` }}
      />
      <span className="relative min-w-0 truncate">{name}</span>{' '}
      <span className="numbers relative shrink-0 text-text-muted">
        {seen ? <span className="mr-1">{formatExact(count)} </span> : null}
        {formatShare(count, total)}
        {seen ? (
          <span
            className="ml-2 inline-block min-w-20 whitespace-nowrap text-right text-text-muted"
            title="First and last seen"
          >
            <RelativeTime at={seen.firstSeen} now={seen.now} variant="short" />
            {' – '}
            <RelativeTime at={seen.lastSeen} now={seen.now} variant="short" />
          </span>
        ) : null}
      </span>
    </>
  );
  const title = `${visibleText(label)}: ${formatExact(count)} of ${formatExact(total)} events`;
  if (!search) {
    return (
      <span title={title} className={look}>
        {content}
      </span>
    );
  }
  return (
    <Link
      href={withQuery(`${issueHref}/events`, { ...time, query: search })}
      title={title}
      className={cx(look, 'rounded-xs text-text no-underline hover:underline')}
    >
      {content}
    </Link>
  );
}
