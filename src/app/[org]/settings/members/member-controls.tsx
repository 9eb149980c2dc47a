'use client';

import { useOptimistic, useTransition } from 'react';
import { ConfirmAction } from '#app/forms/confirm-action.tsx';
import type { Role } from '#domain/people.ts';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { changeRoleAction, leaveAction, removeMemberAction } from './actions.ts';
import type { RoleChoice } from './role-labels.ts';

type MemberView = { userId: string; name: string; role: Role };

/** Changes the role right away. */
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
      const problem = await changeRoleAction(orgSlug, { member: member.userId, role: next });
      showToast(
        problem
          ? { title: problem, tone: 'danger' }
          : {
              title: `${member.name} is now ${roles.find(({ value }) => value === next)?.label ?? next}`,
            },
      );
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

/** Removes a member, or lets people leave, after a question. */
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
      description="Your tokens for it stop working, and issues assigned to you become unassigned. You need a new invitation to come back."
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
      doneTitle={`${name} is removed`}
      size="sm"
    />
  );
}
