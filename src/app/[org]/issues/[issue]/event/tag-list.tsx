import { quoteValue } from '#app/[org]/search-box/search-term.ts';
import { withQuery } from '#app/url-state.ts';
import { Link } from '#ui/navigation/link.tsx';
import { ScrubBadges, type ScrubMark } from './scrub-marks.tsx';

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
    <dl className="tags flex flex-wrap gap-1.5">
      {tags.map(([key, value]) => {
        const search = tagSearch(key, value);
        return (
          <div key={key}>
            <dt>
              <bdi>{key}</bdi>
            </dt>
            <dd>
              {search ? (
                <Link
                  href={withQuery(`${issueHref}/events`, { query: search })}
                  title="Events with this tag"
                  className="link"
                >
                  <bdi>{value}</bdi>
                </Link>
              ) : (
                <bdi>{value}</bdi>
              )}
              <ScrubBadges marks={marks.get(key) ?? []} />
            </dd>
          </div>
        );
      })}
    </dl>
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
