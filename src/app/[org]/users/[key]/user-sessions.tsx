import { ReleaseName, releaseHref } from '#app/[org]/release-name.tsx';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { USER_ROWS_MAX } from '#product/users/get-user.ts';
import type { UserSession } from '#storage/ports/user-activity.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';

/** Which releases the user ran, and in how many sessions they crashed; the release that was run last first. */
export function UserSessions({
  organizationSlug,
  sessions,
  entries,
}: {
  organizationSlug: string;
  sessions: readonly UserSession[];
  entries: QueryEntries;
}) {
  if (sessions.length === 0) return null;
  const releases = [...Map.groupBy(sessions, ({ release }) => release)];
  return (
    <Card flush id="sessions" title="Sessions">
      <Table label="Sessions by release" columns={['Release', numeric('Sessions'), numeric('Crashed')]}>
        {releases.map(([release, own]) => {
          const crashed = own.filter(({ ended }) => ended === 'crashed').length;
          return (
            <Tr key={release}>
              <Td className="max-w-40">
                <Link
                  href={withQuery(releaseHref(organizationSlug, release), entries)}
                  className="block truncate text-text no-underline hover:underline"
                >
                  <ReleaseName version={release} />
                </Link>
              </Td>
              <Td numeric>{own.length}</Td>
              <Td numeric className={crashed > 0 ? 'text-danger' : 'text-text-faint'}>
                {crashed}
              </Td>
            </Tr>
          );
        })}
      </Table>
      {sessions.length === USER_ROWS_MAX ? (
        <p className="px-4 py-2 text-text-muted text-xs">Of the {USER_ROWS_MAX} newest sessions.</p>
      ) : null}
    </Card>
  );
}
