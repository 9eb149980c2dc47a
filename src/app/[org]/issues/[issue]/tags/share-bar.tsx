import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { TagDistribution } from '#storage/ports/events.ts';
import { formatExact, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { tagSearch } from '../event/tag-list.tsx';
import { withTerm } from '../issue-request.ts';

/** One value of a tag with its share as a bar; links to the events of the issue that have it. */
export function ShareBar({
  issueHref,
  entries,
  tag: { key, total },
  entry: { value, count, firstSeen, lastSeen },
  label = value,
  now,
}: {
  issueHref: string;
  /** What was counted, as the address has it. */
  entries: QueryEntries;
  /** `total` counts the events that have the tag. */
  tag: Pick<TagDistribution, 'key' | 'total'>;
  entry: TagDistribution['top'][number];
  /** What is shown instead of the value. */
  label?: string;
  /** Then the count and when it was seen stand beside the share. */
  now?: number;
}) {
  const search = tagSearch(key, value);
  const shown = key === 'release' ? shortenHashes(label) : label;
  const name = value === '' ? <i className="text-text-faint">empty</i> : <bdi>{visibleText(shown)}</bdi>;
  const content = (
    <>
      <i style={{ width: `${Math.max(1, Math.round((count / total) * 100))}%` }} />
      <span>{name}</span>{' '}
      <span>
        {now ? <span className="mr-1">{formatExact(count)} </span> : null}
        {formatShare(count, total)}
        {now ? (
          <span
            className="ml-2 inline-block min-w-20 whitespace-nowrap text-right text-text-muted"
            title="First and last seen"
          >
            <RelativeTime at={firstSeen} now={now} variant="short" />
            {' – '}
            <RelativeTime at={lastSeen} now={now} variant="short" />
          </span>
        ) : null}
      </span>
    </>
  );
  const title = `${visibleText(label)}: ${formatExact(count)} of ${formatExact(total)} events`;
  if (!search) {
    return (
      <span title={title} className="share">
        {content}
      </span>
    );
  }
  return (
    <Link href={withQuery(`${issueHref}/events`, withTerm(entries, search))} title={title} className="share">
      {content}
    </Link>
  );
}
