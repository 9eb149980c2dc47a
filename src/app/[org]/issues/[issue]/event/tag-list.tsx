import { quoteValue } from '#app/[org]/search-box/search-term.ts';
import { ScrubBadges, type ScrubMark } from './scrub-marks.tsx';
import { TagLinks } from './tag-links.tsx';

/** Tags of an event; each leads to the events of the issue that carry it. */
export function TagList({
  issueHref,
  tags,
  marks,
}: {
  issueHref: string;
  tags: readonly (readonly [string, string])[];
  /** By the name of the tag. */
  marks: ReadonlyMap<string, readonly ScrubMark[]>;
}) {
  return (
    <TagLinks
      eventsHref={`${issueHref}/events`}
      tags={tags.map(([key, value]) => {
        const own = marks.get(key);
        return {
          key,
          value,
          search: tagSearch(key, value),
          ...(own && { badges: <ScrubBadges marks={own} /> }),
        };
      })}
    />
  );
}

/** Keys that mean something else than the tag in a search. */
const RESERVED_KEYS: ReadonlySet<string> = new Set('is has assigned issue project age message'.split(' '));

/** The search of issues that a tag's value leads to; null when issues cannot be searched by that tag. */
export function tagSearch(key: string, value: string): string | null {
  if (value === '' || !/^[\w.:-]+$/.test(key)) return null;
  const name = RESERVED_KEYS.has(key) || !/^[A-Za-z_][\w.-]*$/.test(key) ? `tags[${key}]` : key;
  return `${name}:${quoteValue(value)}`;
}
