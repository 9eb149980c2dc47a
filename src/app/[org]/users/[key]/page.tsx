import { UserRound } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { userHref } from '#app/[org]/user-href.ts';
import { getRequestContext } from '#app/request-context.ts';
import { decodeSegment } from '#app/shell/navigation-sections.ts';
import { PageFilters } from '#app/shell/page-filters.tsx';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import {
  filterEntries,
  firstValue,
  type PageRequest,
  parsePageFilters,
  timeBounds,
  withQuery,
} from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { getUser, type UserActivity } from '#product/users/get-user.ts';
import { formatUserKey, parseUserKey } from '#product/users/user-key.ts';
import { listProjects } from '#product/visible-projects.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Page } from '#ui/page-header.tsx';
import { MOMENT_KINDS, timelineOf } from './timeline.ts';
import { Timeline } from './timeline-list.tsx';
import { UserFacts } from './user-facts.tsx';
import { UserIssues } from './user-issues.tsx';
import { UserSessions } from './user-sessions.tsx';

type Props = PageRequest<'org' | 'key'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: visibleText(decodeSegment((await params).key)) };
}

/** Somebody who uses the programs: who it is, and what happened to them. */
export default async function UserPage({ params, searchParams }: Props) {
  const { org, key: segment } = await params;
  const key = parseUserKey(decodeSegment(segment));
  if (!key) notFound();
  const address = await searchParams;
  const ctx = await getRequestContext(org);
  const projects = await listProjects(ctx);
  const requested = parsePageFilters(address);
  const known = requested.projects.filter((slug) => projects.some((project) => project.slug === slug));
  const filters = { ...requested, projects: known };
  const entries = filterEntries(filters);
  const show = MOMENT_KINDS.find((kind) => kind === firstValue(address, 'show')) ?? null;
  const [found, environments] = await Promise.all([
    orUnavailable(
      readUser(ctx, {
        key,
        projectSlugs: known,
        environments: filters.environments,
        range: timeBounds(filters.time, ctx.now()),
      }),
    ),
    listEnvironments(ctx, known),
  ]);
  const user = found.ok && !('problem' in found.value) ? found.value : null;
  return (
    <Page
      title={<bdi className="break-anything">{visibleText(user ? nameOf(user) : key.value)}</bdi>}
      actions={
        <>
          {hasRight(ctx.actor, 'org:write') ? (
            <ButtonLink href={dataRequestHref(org, key, user)}>Export or erase…</ButtonLink>
          ) : null}
          <ButtonLink href={withQuery(`/${org}/users`, entries)}>All users</ButtonLink>
        </>
      }
    >
      <PageFilters
        filters={filters}
        projects={projects.map(({ slug, name, platform }) => ({ slug, name, platform }))}
        environments={environments}
      />
      {!found.ok ? (
        <LoadError what="the user">{found.reason}</LoadError>
      ) : user === null ? (
        <LoadError title="There is too much to read">
          Choose a shorter time range or fewer projects.
        </LoadError>
      ) : isEmpty(user) ? (
        <EmptyPanel icon={<UserRound />} title="Not seen in this time range">
          No error, feedback, transaction, replay or session of the selected time range, projects and
          environments names this user.
        </EmptyPanel>
      ) : (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-5">
            <UserIssues
              organizationSlug={org}
              userKey={key}
              issues={user.issues}
              entries={entries}
              now={ctx.now()}
            />
            <Timeline
              moments={timelineOf(org, user)}
              show={show}
              hrefOf={(kind) => userHref(org, key, { ...entries, show: kind })}
              now={ctx.now()}
            />
          </div>
          <div className="flex min-w-0 flex-col gap-5 max-lg:order-first">
            <UserFacts organizationSlug={org} user={user} entries={entries} now={ctx.now()} />
            <UserSessions organizationSlug={org} sessions={user.sessions} entries={entries} />
          </div>
        </div>
      )}
    </Page>
  );
}

async function readUser(ctx: Context, input: Parameters<typeof getUser>[1]) {
  try {
    return await getUser(ctx, input);
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') return { problem: error.message };
    throw error;
  }
}

/** As people would call them. */
const nameOf = ({ key, names, profile }: UserActivity): string =>
  profile.names[0] ?? names?.emails[0] ?? names?.usernames[0] ?? key.value;

/** The form with everything that the person is called by, but for addresses, which may be of an office. */
function dataRequestHref(org: string, key: UserKey, user: UserActivity | null): string {
  const { ids = [], emails = [], usernames = [] } = user?.names ?? {};
  const keys: readonly UserKey[] = [
    key,
    ...ids.map((value) => ({ kind: 'id' as const, value })),
    ...emails.map((value) => ({ kind: 'email' as const, value })),
    ...usernames.map((value) => ({ kind: 'username' as const, value })),
  ];
  // An address of an office leads to names of others.
  const own = key.kind === 'ip' ? [key] : keys;
  const query = new URLSearchParams([...new Set(own.map(formatUserKey))].map((text) => ['user', text]));
  return `/${org}/settings/data-requests?${query}`;
}

const isEmpty = ({ names, events, replays, sessions }: UserActivity): boolean =>
  names === null && events.length + replays.length + sessions.length === 0;
