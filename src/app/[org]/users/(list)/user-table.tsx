import { userHref } from '#app/[org]/user-href.ts';
import type { QueryEntries } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ListedUser } from '#storage/ports/user-activity.ts';
import { formatCount, formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';

const COLUMNS = [
  'User',
  'Email',
  'Username',
  'IP address',
  numeric('Errors'),
  numeric('Issues'),
  numeric('Transactions'),
  'Last seen',
];

/** `entries` are the filters of the page, which that of a user keeps. */
export function UserTable({
  organizationSlug,
  users,
  entries,
  now,
}: {
  organizationSlug: string;
  users: readonly ListedUser[];
  entries: QueryEntries;
  now: number;
}) {
  return (
    <Table label="Users" columns={COLUMNS}>
      {users.map((user) => (
        <Tr key={`${user.kind}:${user.value}`}>
          <Td className="min-w-32 max-w-64">
            <Link
              href={userHref(organizationSlug, user, entries)}
              className="block truncate font-medium text-text no-underline hover:underline"
            >
              <bdi>{visibleText(user.value)}</bdi>
            </Link>
          </Td>
          {(['email', 'username', 'ip'] as const).map((name) => (
            <Td key={name} className="max-w-56">
              {user[name] === null ? (
                <span className="text-text-faint">–</span>
              ) : (
                <bdi className="block truncate">{visibleText(user[name])}</bdi>
              )}
            </Td>
          ))}
          {([user.errors, user.issues, user.transactions] as const).map((count, index) => (
            <Td key={index === 0 ? 'errors' : index === 1 ? 'issues' : 'transactions'} numeric>
              <span title={formatExact(count)} className={count === 0 ? 'text-text-faint' : undefined}>
                {formatCount(count)}
              </span>
            </Td>
          ))}
          <Td className="whitespace-nowrap">
            <RelativeTime at={user.lastSeen} now={now} />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
