import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { TagDistribution } from '#storage/ports/events.ts';
import { tagSearch } from '../event/tag-list.tsx';
import { withTerm } from '../issue-request.ts';
import { Share } from './share.tsx';

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
  const shown = visibleText(key === 'release' ? shortenHashes(label) : label);
  const whole = visibleText(label);
  return (
    <Share
      {...(search && { href: withQuery(`${issueHref}/events`, withTerm(entries, search)) })}
      {...(value !== '' && { label: shown })}
      {...(shown !== whole && { whole })}
      count={count}
      total={total}
      {...(now && { seen: { firstSeen, lastSeen, now } })}
    />
  );
}
