'use client';

import { useId, useOptimistic, useTransition } from 'react';
import { setNotificationAction } from '#app/account/(pages)/actions.ts';
import type { NotificationKind } from '#domain/notification-kinds.ts';
import { CheckboxField } from '#ui/checkbox.tsx';
import { Select } from '#ui/select.tsx';
import { showResult } from '#ui/toast.tsx';

/** Which setting: everywhere, of an organization, or of one of its projects. */
type SettingPlace = {
  kind: NotificationKind;
  organizationSlug: string | null;
  projectSlug: string | null;
};

export function EverywhereSwitch({
  kind,
  name,
  about,
  isOn,
}: {
  kind: NotificationKind;
  name: string;
  about: string;
  isOn: boolean;
}) {
  const id = useId();
  const { shown, change } = useSetting({ kind, organizationSlug: null, projectSlug: null }, isOn);
  return (
    <li>
      <CheckboxField
        id={id}
        label={name}
        help={about}
        checked={shown === true}
        onChange={(event) => change(event.target.checked)}
        className="px-4 py-3"
      />
    </li>
  );
}

/** On, off, or inherited from the next wider setting. */
export function SettingSelect({
  label,
  place,
  isOn,
  wider,
}: {
  label: string;
  place: SettingPlace;
  isOn: boolean | null;
  /** The label of the inherited value, such as "Default: on". */
  wider: string;
}) {
  const { shown, change } = useSetting(place, isOn);
  return (
    <Select
      label={label}
      value={shown === null ? 'wider' : shown ? 'on' : 'off'}
      options={[
        { value: 'wider', label: wider },
        { value: 'on', label: 'On' },
        { value: 'off', label: 'Off' },
      ]}
      onValueChange={(value) => change(value === 'wider' ? null : value === 'on')}
    />
  );
}

/** Optimistic: shows the choice at once and reverts when it could not be saved. */
function useSetting(place: SettingPlace, isOn: boolean | null) {
  const [shown, setShown] = useOptimistic(isOn);
  const [, startTransition] = useTransition();
  const change = (next: boolean | null) =>
    startTransition(async () => {
      setShown(next);
      showResult(await setNotificationAction({ ...place, isOn: next }), 'Saved');
    });
  return { shown, change };
}
