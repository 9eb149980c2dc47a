import type { ReactNode } from 'react';
import { searchTerm } from '#app/[org]/search-box/search-term.ts';
import { userHref } from '#app/[org]/user-href.ts';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { categoryOf } from '#domain/issues/category.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { UserActivity } from '#product/users/get-user.ts';
import { USER_ROWS_MAX } from '#product/users/get-user.ts';
import type { UserKind } from '#storage/ports/user-activity.ts';
import { Card } from '#ui/card.tsx';
import { formatExact } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** Who the user is, as far as what was stored says; each name leads to those who have it. */
export function UserFacts({
  organizationSlug,
  user: { key, names, profile, issues, transactions, replays },
  entries,
  now,
}: {
  organizationSlug: string;
  user: UserActivity;
  entries: QueryEntries;
  now: number;
}) {
  const named = (kind: UserKind, values: readonly string[]) =>
    values.map((value) =>
      value === key.value && kind === key.kind ? (
        <bdi key={value}>{visibleText(value)}</bdi>
      ) : (
        <Link key={value} href={userHref(organizationSlug, { kind, value }, entries)} className="link">
          <bdi>{visibleText(value)}</bdi>
        </Link>
      ),
    );
  const texts = (values: readonly string[]) =>
    values.map((value) => <bdi key={value}>{visibleText(value)}</bdi>);
  const search = searchTerm(`user.${key.kind}`, key.value);
  const errors = issues
    .filter(({ issue }) => categoryOf(issue.type) !== 'feedback')
    .reduce((total, each) => total + each.events, 0);
  const explored = (path: string, count: ReactNode) => (
    <Link
      href={withQuery(`/${organizationSlug}/explore/${path}`, { ...entries, query: search })}
      className="link numbers"
    >
      {count}
    </Link>
  );
  const lists: readonly [name: string, values: readonly ReactNode[]][] = [
    ['Name', texts(profile.names)],
    ['ID', named('id', names?.ids ?? [])],
    ['Email', named('email', names?.emails ?? [])],
    ['Username', named('username', names?.usernames ?? [])],
    ['IP address', named('ip', names?.ips ?? [])],
    ['Place', texts(profile.places)],
  ];
  return (
    <Card id="who" title="Details">
      <KeyValues
        isNarrow
        rows={[
          ...lists
            .filter(([, values]) => values.length > 0)
            .map(([name, values]) => ({
              name,
              value: <span className="flex flex-col break-anything">{values}</span>,
            })),
          ...(names
            ? [
                { name: 'First seen', value: <RelativeTime at={names.firstSeen} now={now} /> },
                { name: 'Last seen', value: <RelativeTime at={names.lastSeen} now={now} /> },
              ]
            : []),
          { name: 'Errors', value: explored('errors', formatExact(errors)) },
          {
            name: 'Transactions',
            value: (
              <>
                {formatExact(transactions.total)}
                {transactions.failed > 0 ? `, ${formatExact(transactions.failed)} failed` : ''}
              </>
            ),
          },
          {
            name: 'Replays',
            value: `${formatExact(replays.length)}${replays.length === USER_ROWS_MAX ? ' or more' : ''}`,
          },
        ]}
      />
      <p className="mt-3 text-text-muted text-xs">
        In the selected time range, projects and environments, as SDKs sent it and without what was scrubbed.
      </p>
    </Card>
  );
}
