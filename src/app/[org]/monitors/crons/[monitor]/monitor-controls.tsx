'use client';

import { Ellipsis } from 'lucide-react';
import { useTransition } from 'react';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { showResult } from '#ui/toast.tsx';
import {
  deleteMonitorAction,
  deleteMonitorEnvironmentAction,
  switchMonitorAction,
  switchMonitorEnvironmentAction,
} from '../actions.ts';
import { cronHref } from '../crons-state.ts';

type Switches = { isMuted: boolean; isDisabled: boolean };

function useRun() {
  const [isPending, startTransition] = useTransition();
  const run = (action: () => Promise<string | null>, done: string) =>
    startTransition(async () => showResult(await action(), done));
  return { isPending, run };
}

/** What can be done with a monitor; both switches are undone by the same buttons. */
export function MonitorControls({
  organizationSlug,
  monitor: { id, name, isMuted, isDisabled },
}: {
  organizationSlug: string;
  monitor: Switches & { id: number; name: string };
}) {
  const { isPending, run } = useRun();
  const change = (switches: Partial<Switches>, done: string) =>
    run(() => switchMonitorAction(organizationSlug, { monitorId: id, ...switches }), done);
  return (
    <>
      {isDisabled ? null : (
        <Button
          disabled={isPending}
          title="Runs are still watched, and no one is notified"
          onClick={() => change({ isMuted: !isMuted }, isMuted ? 'Monitor unmuted' : 'Monitor muted')}
        >
          {isMuted ? 'Unmute' : 'Mute'}
        </Button>
      )}
      <Button
        disabled={isPending}
        title="Nothing is expected while a monitor is disabled"
        onClick={() =>
          change({ isDisabled: !isDisabled }, isDisabled ? 'Monitor enabled' : 'Monitor disabled')
        }
      >
        {isDisabled ? 'Enable' : 'Disable'}
      </Button>
      <ButtonLink href={`${cronHref(organizationSlug, id)}/edit`}>Edit</ButtonLink>
      <ConfirmDelete
        name={name}
        consequence="Its check-ins are kept until they expire. The next check-in creates the monitor again."
        action={deleteMonitorAction.bind(null, organizationSlug, id)}
        afterHref={`/${organizationSlug}/monitors/crons`}
      />
    </>
  );
}

/** The same of one environment. */
export function EnvironmentMenu({
  organizationSlug,
  monitorId,
  environment: { name, isMuted, isDisabled },
}: {
  organizationSlug: string;
  monitorId: number;
  environment: Switches & { name: string };
}) {
  const { isPending, run } = useRun();
  const place = { monitorId, environment: name };
  const change = (switches: Partial<Switches>, done: string) =>
    run(() => switchMonitorEnvironmentAction(organizationSlug, { ...place, ...switches }), done);
  return (
    <Menu
      align="end"
      trigger={
        <Button size="sm" iconOnly disabled={isPending} aria-label={`Actions for ${name}`}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      <MenuItem
        onSelect={() => change({ isMuted: !isMuted }, isMuted ? 'Environment unmuted' : 'Environment muted')}
      >
        {isMuted ? 'Unmute' : 'Mute'}
      </MenuItem>
      <MenuItem
        onSelect={() =>
          change({ isDisabled: !isDisabled }, isDisabled ? 'Environment enabled' : 'Environment disabled')
        }
      >
        {isDisabled ? 'Enable' : 'Disable'}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        onSelect={() =>
          run(
            () => deleteMonitorEnvironmentAction(organizationSlug, place),
            'Environment deleted; its next check-in adds it again',
          )
        }
      >
        Delete
      </MenuItem>
    </Menu>
  );
}
