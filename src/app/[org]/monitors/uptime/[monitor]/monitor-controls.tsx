'use client';

import { ActionButton, ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { deleteUptimeMonitorAction, setUptimeMonitorEnabledAction } from '../actions.ts';

export function MonitorControls({
  organizationSlug,
  monitor: { id, name, isEnabled },
}: {
  organizationSlug: string;
  monitor: { id: number; name: string; isEnabled: boolean };
}) {
  const path = `/${organizationSlug}/monitors/uptime`;
  return (
    <>
      <ActionButton
        label={isEnabled ? 'Disable' : 'Enable'}
        doneTitle={isEnabled ? 'Monitor disabled' : 'Monitor enabled'}
        action={() =>
          setUptimeMonitorEnabledAction(organizationSlug, { monitorId: id, isEnabled: !isEnabled })
        }
      />
      <ButtonLink href={`${path}/${id}/edit`}>Edit</ButtonLink>
      <ConfirmDelete
        name={name}
        consequence="This deletes the monitor and its incidents. Its issues stay."
        action={() => deleteUptimeMonitorAction(organizationSlug, id)}
        afterHref={path}
      />
    </>
  );
}
