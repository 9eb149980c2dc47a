import type { NotificationKind, NotificationSetting } from '#storage/ports/notifications.ts';

/** What a place says itself; null: as the next wider one. */
export function saidIn(
  settings: readonly NotificationSetting[],
  kind: NotificationKind,
  organizationId: number | null,
  projectId: number | null = null,
): boolean | null {
  const own = settings.find(
    (setting) =>
      setting.kind === kind && setting.organizationId === organizationId && setting.projectId === projectId,
  );
  return own?.isOn ?? null;
}

/** What counts in an organization: its own word, else the one for everywhere, else yes. */
export const isOnIn = (
  settings: readonly NotificationSetting[],
  kind: NotificationKind,
  organizationId: number,
): boolean => saidIn(settings, kind, organizationId) ?? saidIn(settings, kind, null) ?? true;
