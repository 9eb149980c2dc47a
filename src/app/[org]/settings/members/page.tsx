import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest, withQuery } from '#app/url-state.ts';
import { userIdOf } from '#product/acting-user.ts';
import { listInvitations } from '#product/invitations/invitations.ts';
import { listMembers } from '#product/members/members.ts';
import { hasRight, rolesWithin } from '#product/permissions.ts';
import { listTeams } from '#product/teams/teams.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Input } from '#ui/field.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { InviteForm } from './member-controls.tsx';
import { InvitationList, MemberList } from './member-list.tsx';
import { roleChoices } from './role-labels.ts';

export const metadata: Metadata = { title: 'Members' };

const ROWS = 100;

export default async function MembersPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const search = await searchParams;
  const ctx = await getRequestContext(org);
  const [members, invitations, teams] = await Promise.all([
    listMembers(ctx),
    listInvitations(ctx),
    listTeams(ctx),
  ]);
  const query = (firstValue(search, 'query') ?? '').trim().toLowerCase();
  const found = members.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(query));
  const page = Math.max(1, Number.parseInt(firstValue(search, 'page') ?? '', 10) || 1);
  const shown = found.slice((page - 1) * ROWS, page * ROWS);
  const path = `/${org}/settings/members`;
  const pageLink = (to: number) =>
    withQuery(path, { query: query || null, page: to > 1 ? String(to) : null });
  const canInvite = hasRight(ctx.actor, 'member:invite');
  const now = ctx.now();
  return (
    <SettingsPage
      title="Members"
      description={`${members.length === 1 ? '1 member' : `${members.length} members`} in ${ctx.organization.name}. ${
        ctx.organization.isOpen
          ? 'Every member can see every project.'
          : 'Viewers, members and admins only see the projects of their teams.'
      }`}
    >
      {canInvite ? (
        <Card id="invite" title="Invite member">
          <InviteForm
            orgSlug={org}
            roles={roleChoices(rolesWithin(ctx))}
            teams={teams.map(({ slug, name }) => ({ value: slug, label: name }))}
          />
        </Card>
      ) : null}
      {invitations.length > 0 ? (
        <InvitationList orgSlug={org} invitations={invitations} canChange={canInvite} now={now} />
      ) : null}
      <Card
        flush
        id="members"
        title={query ? `${found.length} of ${members.length} members` : 'Members'}
        actions={
          <form action={path} method="get">
            <Input
              isCompact
              type="search"
              name="query"
              defaultValue={query}
              aria-label="Search members by name or email"
              placeholder="Search by name or email"
              className="w-56"
            />
          </form>
        }
      >
        {shown.length > 0 ? (
          <MemberList
            organization={{ slug: org, name: ctx.organization.name }}
            members={shown}
            teams={teams}
            ownUserId={userIdOf(ctx)}
            givenRoles={hasRight(ctx.actor, 'member:admin') ? rolesWithin(ctx) : []}
            now={now}
          />
        ) : (
          <p className="px-4 py-3 text-sm text-text-muted">
            No members match. Search for part of a name or an email address.
          </p>
        )}
      </Card>
      {found.length > ROWS ? (
        <nav aria-label="Pages" className="flex items-center justify-end gap-2">
          {page > 1 ? <ButtonLink href={pageLink(page - 1)}>Previous</ButtonLink> : null}
          {page * ROWS < found.length ? <ButtonLink href={pageLink(page + 1)}>Next</ButtonLink> : null}
        </nav>
      ) : null}
      {canInvite ? null : (
        <p className="text-sm text-text-muted">Ask a manager or an owner to invite someone.</p>
      )}
    </SettingsPage>
  );
}
