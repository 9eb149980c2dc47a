import { ShieldCheck } from 'lucide-react';
import type { Role } from '#domain/people.ts';
import type { Invitation } from '#product/invitations/invitation-store.ts';
import type { OrganizationMember } from '#product/members/member-store.ts';
import type { Team } from '#product/teams/team-store.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { formatUtcDay } from '#ui/format-time.ts';
import { ByUser, ListRow } from '#ui/list-row.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { EndMembership, InvitationControls, RoleSelect } from './member-controls.tsx';
import { ROLE_LABELS, roleChoices } from './role-labels.ts';

/** Who is in the organization, with what may be done to each. */
export function MemberList({
  organization,
  members,
  teams,
  ownUserId,
  givenRoles,
  now,
}: {
  organization: { slug: string; name: string };
  members: readonly OrganizationMember[];
  teams: readonly Team[];
  ownUserId: string | null;
  /** Roles that whoever looks may give and take; empty for who may not manage members. */
  givenRoles: readonly Role[];
  now: number;
}) {
  const slugOf = new Map(teams.map(({ id, slug }) => [id, slug]));
  return (
    <ul className="divide-y">
      {members.map((member) => {
        const isOneself = member.userId === ownUserId;
        const isManageable = givenRoles.includes(member.role);
        const view = { userId: member.userId, name: member.name, role: member.role };
        return (
          <li key={member.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
            <div className="flex min-w-0 flex-1 basis-60 items-center gap-2.5">
              <Avatar name={member.name} />
              <div className="min-w-0">
                <p className="truncate font-medium text-sm">
                  <bdi>{member.name}</bdi>
                  {isOneself ? <span className="font-normal text-text-muted"> (you)</span> : null}
                </p>
                <p className="truncate text-text-muted text-xs">
                  <bdi>{member.email}</bdi>
                </p>
              </div>
            </div>
            <p className="min-w-0 flex-1 basis-48 text-text-muted text-xs">
              {member.teamIds.length > 0 ? (
                <span className="block truncate">
                  {member.teamIds.map((id) => `#${slugOf.get(id) ?? id}`).join(' ')}
                </span>
              ) : null}
              <span className="flex flex-wrap items-center gap-x-2">
                {member.hasTwoFactor ? (
                  <Badge tone="success" icon={<ShieldCheck aria-hidden />}>
                    two-factor
                  </Badge>
                ) : (
                  'no two-factor'
                )}
                <span>
                  {isOneself ? (
                    'active now'
                  ) : member.lastSeenAt === null ? (
                    'never active'
                  ) : (
                    <>
                      last active <RelativeTime at={member.lastSeenAt} now={now} />
                    </>
                  )}
                </span>
              </span>
            </p>
            {isManageable ? (
              <RoleSelect orgSlug={organization.slug} member={view} roles={roleChoices(givenRoles)} />
            ) : (
              <span className="w-28 text-sm">{ROLE_LABELS[member.role].label}</span>
            )}
            <span className="flex w-20 justify-end">
              {isOneself || isManageable ? (
                <EndMembership
                  orgSlug={organization.slug}
                  organizationName={organization.name}
                  member={view}
                  isOneself={isOneself}
                />
              ) : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Who was asked and has not joined yet. */
export function InvitationList({
  orgSlug,
  invitations,
  canChange,
  now,
}: {
  orgSlug: string;
  invitations: readonly Invitation[];
  canChange: boolean;
  now: number;
}) {
  return (
    <Card flush id="invitations" title="Invitations">
      <ul className="divide-y">
        {invitations.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => (
          <ListRow
            key={id}
            title={
              <>
                <bdi className="truncate">{email}</bdi>
                {expiresAt <= now ? <Badge tone="warning">expired</Badge> : null}
              </>
            }
            actions={canChange ? <InvitationControls orgSlug={orgSlug} invitation={{ id, email }} /> : null}
          >
            as {ROLE_LABELS[role].label}, invited <RelativeTime at={createdAt} now={now} />
            <ByUser user={invitedBy} />
            {expiresAt > now ? `, expires ${formatUtcDay(expiresAt)}` : null}
          </ListRow>
        ))}
      </ul>
    </Card>
  );
}
