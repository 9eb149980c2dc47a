'use client';

import { ChevronDown } from 'lucide-react';
import { useTransition } from 'react';
import { ConfirmDelete } from '#app/[org]/settings/confirm-delete.tsx';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { showToast } from '#ui/toast.tsx';
import { deleteRuleAction, enableRuleAction, snoozeRuleAction } from './rule-state-actions.ts';

const HOUR_MINUTES = 60;

/** What can be done with a rule besides changing it. */
export function RuleControls({
  organizationSlug,
  rule,
}: {
  organizationSlug: string;
  rule: { id: number; name: string; isEnabled: boolean; isSnoozed: boolean };
}) {
  const [isPending, startTransition] = useTransition();
  const run = (action: () => Promise<string | null>, done: string) =>
    startTransition(async () => {
      const problem = await action();
      showToast(problem ? { title: problem, tone: 'danger' } : { title: done });
    });
  const snooze = (minutes: number | 'until_woken' | null, done: string) =>
    run(() => snoozeRuleAction(organizationSlug, rule.id, minutes), done);
  return (
    <>
      {!rule.isEnabled ? null : rule.isSnoozed ? (
        <Button disabled={isPending} onClick={() => snooze(null, 'The rule is awake')}>
          Wake it
        </Button>
      ) : (
        <Menu
          trigger={
            <Button disabled={isPending}>
              Snooze
              <ChevronDown aria-hidden className="size-3.5" />
            </Button>
          }
        >
          <MenuItem onSelect={() => snooze(HOUR_MINUTES, 'Snoozed for an hour')}>For an hour</MenuItem>
          <MenuItem onSelect={() => snooze(24 * HOUR_MINUTES, 'Snoozed for a day')}>For a day</MenuItem>
          <MenuItem onSelect={() => snooze('until_woken', 'Snoozed until you wake it')}>
            Until I wake it
          </MenuItem>
        </Menu>
      )}
      <Button
        disabled={isPending}
        onClick={() =>
          run(
            () => enableRuleAction(organizationSlug, rule.id, !rule.isEnabled),
            rule.isEnabled ? 'The rule is disabled' : 'The rule is enabled',
          )
        }
      >
        {rule.isEnabled ? 'Disable' : 'Enable'}
      </Button>
      <ConfirmDelete
        name={rule.name}
        consequence="It fires no more, and the history of what it fired goes with it."
        action={() => deleteRuleAction(organizationSlug, rule.id)}
        afterHref={`/${organizationSlug}/alerts`}
      />
    </>
  );
}
