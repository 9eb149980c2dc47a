'use client';

import { ChevronDown } from 'lucide-react';
import { useTransition } from 'react';
import { deleteRuleAction, enableRuleAction, snoozeRuleAction } from '#app/[org]/alerts/actions.ts';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { showResult } from '#ui/toast.tsx';

const HOUR_MINUTES = 60;

export function RuleControls({
  organizationSlug,
  rule,
}: {
  organizationSlug: string;
  rule: { id: number; name: string; isEnabled: boolean; isSnoozed: boolean };
}) {
  const [isPending, startTransition] = useTransition();
  const run = (action: () => Promise<string | null>, done: string) =>
    startTransition(async () => showResult(await action(), done));
  const snooze = (minutes: number | 'until_woken' | null, done: string) =>
    run(() => snoozeRuleAction(organizationSlug, { ruleId: rule.id, minutes }), done);
  return (
    <>
      {!rule.isEnabled ? null : rule.isSnoozed ? (
        <Button disabled={isPending} onClick={() => snooze(null, 'Rule unsnoozed')}>
          Unsnooze
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
          <MenuItem onSelect={() => snooze(HOUR_MINUTES, 'Snoozed for 1 hour')}>For 1 hour</MenuItem>
          <MenuItem onSelect={() => snooze(24 * HOUR_MINUTES, 'Snoozed for 1 day')}>For 1 day</MenuItem>
          <MenuItem onSelect={() => snooze('until_woken', 'Snoozed until you unsnooze it')}>
            Until I unsnooze it
          </MenuItem>
        </Menu>
      )}
      <Button
        disabled={isPending}
        onClick={() =>
          run(
            () => enableRuleAction(organizationSlug, { ruleId: rule.id, isEnabled: !rule.isEnabled }),
            rule.isEnabled ? 'Rule disabled' : 'Rule enabled',
          )
        }
      >
        {rule.isEnabled ? 'Disable' : 'Enable'}
      </Button>
      <ConfirmDelete
        name={rule.name}
        consequence="This deletes the rule and its history."
        action={deleteRuleAction.bind(null, organizationSlug, rule.id)}
        afterHref={`/${organizationSlug}/alerts`}
      />
    </>
  );
}
