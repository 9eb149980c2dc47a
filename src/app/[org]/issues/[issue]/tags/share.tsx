'use client';

import { formatExact, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** `count` of `total` events, as a bar behind what they have in common. */
export function Share({
  href,
  label = '',
  whole = label,
  count,
  total,
  seen,
}: {
  /** The events that are counted. */
  href?: string;
  /** Empty by default. */
  label?: string;
  /** For the title, where the label is shortened. */
  whole?: string;
  count: number;
  total: number;
  /** Then the count and when it was seen stand beside the share. */
  seen?: { firstSeen: number; lastSeen: number; now: number };
}) {
  const title = `${whole}: ${formatExact(count)} of ${formatExact(total)} events`;
  const content = (
    <>
      <i style={{ width: `${Math.max(1, Math.round((count / total) * 100))}%` }} />
      <span>{label === '' ? <em>empty</em> : <bdi>{label}</bdi>}</span>{' '}
      <span>
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
  return href ? (
    <Link href={href} title={title} className="share">
      {content}
    </Link>
  ) : (
    <span title={title} className="share">
      {content}
    </span>
  );
}
