import { periodLabel, withQuery } from '#app/url-state.ts';
import type { OrUnavailable } from '#lib/or-unavailable.ts';
import { TAGGED_EVENTS_MAX } from '#product/issues/issue-tags.ts';
import type { IssueActivity, TagDistribution } from '#storage/ports/events.ts';
import { Card } from '#ui/card.tsx';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import type { IssueFilter } from '../issue-request.ts';
import { ShareBar } from '../tags/share-bar.tsx';

const VALUES_SHOWN = 2;

/** The users of an issue, and the values of its most useful tags. Each number links to what it counts. */
export function TopTags({
  tags,
  trend,
  filter: { filters, entries },
  issueHref,
}: {
  tags: OrUnavailable<readonly TagDistribution[]>;
  trend: OrUnavailable<IssueActivity>;
  filter: IssueFilter;
  issueHref: string;
}) {
  const allTags = withQuery(`${issueHref}/tags`, entries);
  if (!tags.ok) {
    return (
      <Card id="top-tags" title="Top tags">
        <p className="text-sm text-text-muted">Tags can’t be shown while the event store is unavailable.</p>
      </Card>
    );
  }
  const chosen = chooseTags(tags.value);
  const users = tags.value.find(({ key }) => key === 'user');
  const isCut = tags.value.some(({ total }) => total >= TAGGED_EVENTS_MAX);
  return (
    <Card
      id="top-tags"
      title="Top tags"
      actions={
        <Link href={allTags} className="card-link">
          All tags
        </Link>
      }
    >
      <p className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-3 text-text-faint text-xs">
        {trend.ok ? (
          <Link
            href={withQuery(`${issueHref}/tags`, { ...entries, key: 'user' })}
            className="text-sm text-text-muted no-underline hover:underline"
          >
            <b className="numbers font-semibold text-base text-text">{formatExact(trend.value.users)}</b>{' '}
            {trend.value.users === 1 ? 'user' : 'users'}
          </Link>
        ) : null}
        <span>
          {periodLabel(filters.time) ?? 'Selected time range'}
          {isCut ? `, latest ${formatPlural(TAGGED_EVENTS_MAX, 'event')}` : null}
        </span>
      </p>
      {users && users.top.length > 0 ? (
        <ul aria-label="Users with the most events" className="mb-2.5">
          {users.top.slice(0, VALUES_SHOWN).map((user) => (
            <li key={user.value}>
              <ShareBar
                issueHref={issueHref}
                entries={entries}
                tag={users}
                entry={user}
                label={userLabel(user)}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {chosen.length === 0 && !users ? (
        <p className="text-sm text-text-muted">No tags in this time range.</p>
      ) : null}
      {chosen.length > 0 ? (
        <dl className="space-y-2.5">
          {chosen.map(({ label, tag }) => (
            <div key={tag.key}>
              <dt className="share-head">
                <Link
                  href={withQuery(`${issueHref}/tags`, { ...entries, key: tag.key })}
                  className="quiet-link"
                >
                  {label}
                </Link>
                {tag.distinct > VALUES_SHOWN ? (
                  <Link
                    href={withQuery(`${issueHref}/tags`, { ...entries, key: tag.key })}
                    className="quiet-link numbers text-text-faint"
                  >
                    {formatExact(tag.distinct - VALUES_SHOWN)} more
                  </Link>
                ) : null}
              </dt>
              {tag.top.slice(0, VALUES_SHOWN).map((entry) => (
                <dd key={entry.value}>
                  <ShareBar issueHref={issueHref} entries={entries} tag={tag} entry={entry} />
                </dd>
              ))}
            </div>
          ))}
        </dl>
      ) : null}
    </Card>
  );
}

/** The tags in their order, each called what the rest of the page calls it; of each line the first that events have. */
const TAG_LINES: readonly (readonly (readonly [key: string, label: string])[])[] = [
  [['release', 'Release']],
  [['environment', 'Environment']],
  [['browser', 'Browser']],
  [
    ['transaction', 'Transaction'],
    ['url', 'URL'],
  ],
  [
    ['os', 'OS'],
    ['client_os', 'OS'],
  ],
  [
    ['device', 'Device'],
    ['device.family', 'Device'],
  ],
  [['runtime', 'Runtime']],
  [['server_name', 'Server']],
];
const SHOWN_MAX = 4;

/** The tags that are shown above the fold, at most 4. */
export function chooseTags(tags: readonly TagDistribution[]): { label: string; tag: TagDistribution }[] {
  const byKey = new Map(tags.map((tag) => [tag.key, tag]));
  return TAG_LINES.flatMap((line) => {
    for (const [key, label] of line) {
      const tag = byKey.get(key);
      if (tag) return [{ label, tag }];
    }
    return [];
  }).slice(0, SHOWN_MAX);
}

/** A user as people know them: by e-mail address or name, else by what the tag `user` holds: `id:42` is `42`. */
export const userLabel = ({ value, person }: { value: string; person?: string }): string =>
  person ?? value.replace(/^(?:id|username|email|ip):/, '');
