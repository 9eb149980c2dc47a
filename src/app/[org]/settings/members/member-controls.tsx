'use client';

import { useOptimistic, useState, useTransition } from 'react';
import type { Role } from '#storage/ports/accounts.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { changeRoleAction, leaveAction, removeMemberAction } from './member-actions.ts';
import type { RoleChoice } from './role-words.ts';

type MemberView = { userId: string; name: string; role: Role };

/** Chooses another role; it counts at once. */
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
          : { title: `${member.name} is ${roles.find(({ value }) => value === next)?.label ?? next} now` },
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

/** Takes a member out, or lets whoever looks leave, after a question. */
export function EndMembership({
  orgSlug,
  organizationName,
  member,
  isOneself,
}: {
  orgSlug: string;
  organizationName: string;
  member: MemberView;
  isOneself: boolean;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, startTransition] = useTransition();
  const end = () =>
    startTransition(async () => {
      const problem = isOneself
        ? await leaveAction(orgSlug)
        : await removeMemberAction(orgSlug, member.userId);
      setIsOpen(false);
      showToast(problem ? { title: problem, tone: 'danger' } : { title: `${member.name} is removed` });
    });
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button size="sm" aria-label={isOneself ? 'Leave the organization' : `Remove ${member.name}`}>
          {isOneself ? 'Leave' : 'Remove'}
        </Button>
      }
      title={isOneself ? `Leave ${organizationName}?` : `Remove ${member.name}?`}
      description={
        isOneself
          ? 'Your tokens of it stop working, and issues that are yours belong to nobody. To come back, you need a new invitation.'
          : 'Their tokens stop working at once, and issues that are theirs belong to nobody. What they said and did stays.'
      }
      footer={
        <>
          <Button onClick={() => setIsOpen(false)}>Cancel</Button>
          <Button variant="danger" disabled={isPending} onClick={end}>
            {isOneself ? 'Leave the organization' : 'Remove'}
          </Button>
        </>
      }
    />
  );
}
