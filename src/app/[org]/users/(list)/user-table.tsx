import { userHref } from '#app/[org]/user-href.ts';
import type { QueryEntries } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { ListedUser } from '#storage/ports/user-activity.ts';
import { formatCount, formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';

const COLUMNS = ['User', numeric('Errors'), numeric('Issues'), numeric('Transactions'), 'Last seen'];

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
          <Td className="min-w-48 max-w-96 max-sm:max-w-56">
            <Link
              href={userHref(organizationSlug, user, entries)}
              className="block truncate font-medium text-text no-underline hover:underline"
            >
              <bdi>{visibleText(user.value)}</bdi>
            </Link>
            <OtherNames user={user} />
          </Td>
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

/** What else is known of who it is, in one line. */
function OtherNames({ user }: { user: ListedUser }) {
  const names = [user.email, user.username, user.ip].filter(
    (name): name is string => name !== null && name !== user.value,
  );
  if (names.length === 0) return null;
  const text = names.map(visibleText).join(' · ');
  return (
    <span title={text} className="block truncate text-text-muted text-xs">
      {text}
    </span>
  );
}
