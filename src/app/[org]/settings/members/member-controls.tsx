'use client';

import { useOptimistic, useState, useTransition } from 'react';
import { ActionButton, ConfirmAction } from '#app/forms/confirm-action.tsx';
import { LineForm } from '#app/forms/fields-form.tsx';
import { LoopbackNotice } from '#app/loopback-notice.tsx';
import type { Role } from '#domain/people.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { showResult, showToast } from '#ui/toast.tsx';
import {
  changeRoleAction,
  inviteAction,
  leaveAction,
  removeMemberAction,
  resendAction,
  revokeAction,
  type SentView,
} from './actions.ts';
import { INVITE_FIELDS, type RoleChoice } from './role-labels.ts';

type MemberView = { userId: string; name: string; role: Role };

export function RoleSelect({
  orgSlug,
  member,
  roles,
}: {
  orgSlug: string;
  member: MemberView;
  roles: readonly RoleChoice[];
}) {
  const [isPending, startTransition] = useTransition();
  const [role, setRole] = useOptimistic(member.role);
  const change = (next: Role) =>
    startTransition(async () => {
      setRole(next);
      const refusal = await changeRoleAction(orgSlug, { member: member.userId, role: next });
      const label = roles.find(({ value }) => value === next)?.label ?? next;
      showResult(refusal, `${member.name} is now ${label}`);
    });
  return (
    <Select
      label={`Role of ${member.name}`}
      options={roles}
      value={role}
      onValueChange={change}
      disabled={isPending}
      className="w-28"
    />
  );
}

export function EndMembership({
  orgSlug,
  organizationName,
  member: { userId, name },
  isOneself,
}: {
  orgSlug: string;
  organizationName: string;
  member: MemberView;
  isOneself: boolean;
}) {
  return isOneself ? (
    <ConfirmAction
      action={leaveAction.bind(null, orgSlug, null)}
      label="Leave"
      accessibleName="Leave the organization"
      title={`Leave ${organizationName}?`}
      description="Your tokens for this organization stop working, and issues assigned to you become unassigned. You need a new invitation to rejoin."
      confirmLabel="Leave organization"
      doneTitle={`You left ${organizationName}`}
      size="sm"
    />
  ) : (
    <ConfirmAction
      action={removeMemberAction.bind(null, orgSlug, userId)}
      label="Remove"
      accessibleName={`Remove ${name}`}
      title={`Remove ${name}?`}
      description="Their tokens stop working right away, and issues assigned to them become unassigned. Their comments and activity are kept."
      confirmLabel="Remove"
      doneTitle={`${name} was removed`}
      size="sm"
    />
  );
}

export function InvitationControls({
  orgSlug,
  invitation: { id, email },
}: {
  orgSlug: string;
  invitation: { id: number; email: string };
}) {
  const [isPending, startTransition] = useTransition();
  const [sent, setSent] = useState<SentView | null>(null);
  const resend = () =>
    startTransition(async () => {
      const answer = await resendAction(orgSlug, id);
      if (answer.ok) setSent(answer.value);
      else showToast({ title: `${answer.message}.`, tone: 'danger' });
    });
  return (
    <>
      <div className="flex gap-2">
        <Button
          size="sm"
          isPending={isPending}
          aria-label={`Resend the invitation to ${email}`}
          onClick={resend}
        >
          Resend
        </Button>
        <ActionButton
          action={revokeAction.bind(null, orgSlug, id)}
          label="Revoke"
          accessibleName={`Revoke the invitation to ${email}`}
          doneTitle={`Invitation to ${email} revoked`}
          size="sm"
        />
      </div>
      {sent ? (
        <div className="w-full">
          <SentNotice sent={sent} />
        </div>
      ) : null}
    </>
  );
}

export function InviteForm({
  orgSlug,
  roles,
  teams,
}: {
  orgSlug: string;
  /** Those that the person who invites may give, fewest rights first. */
  roles: readonly RoleChoice[];
  teams: readonly { value: string; label: string }[];
}) {
  const { email, role } = INVITE_FIELDS;
  const role0 = roles.find(({ value }) => value === 'member') ?? roles[0];
  return (
    <LineForm<SentView>
      fields={{
        email,
        role: { ...role, options: roles },
        ...(teams.length > 0 ? { teams: { ...INVITE_FIELDS.teams, options: teams } } : {}),
      }}
      values={{ role: role0?.value }}
      action={inviteAction.bind(null, orgSlug, null)}
      submitLabel="Invite"
      pendingLabel="Inviting…"
    >
      {(sent) => <SentNotice sent={sent} />}
    </LineForm>
  );
}

/** What came of an invitation, with its link to copy, which is shown this once. */
function SentNotice({ sent }: { sent: SentView }) {
  return (
    <Notice
      tone={sent.notSentReason ? 'warning' : 'success'}
      title={
        sent.notSentReason ? (
          <>
            Send this link to <bdi>{sent.email}</bdi>
          </>
        ) : (
          <>
            Invitation sent to <bdi>{sent.email}</bdi>
          </>
        )
      }
    >
      <p>
        {sent.notSentReason ? `${sent.notSentReason}. ` : 'You can also share the link yourself. '}
        It can be used once within seven days. You will not see it again.
      </p>
      <p className="mt-2 flex items-center gap-1 rounded-md border bg-surface-raised py-1 pr-1 pl-2.5">
        <code className="mono min-w-0 flex-1 truncate text-xs" data-testid="invitation-address">
          {sent.url}
        </code>
        <CopyButton text={sent.url} label="Copy the invitation link" />
      </p>
      <LoopbackNotice address={sent.url} className="mt-1.5" />
    </Notice>
  );
}
