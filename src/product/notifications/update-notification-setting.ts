import { invalid, notFound } from '#lib/errors.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '#storage/ports/notifications.ts';
import type { Stores } from '#storage/ports/stores.ts';

export type NotificationChange = {
  kind: NotificationKind;
  /** null: everywhere. */
  organizationSlug: string | null;
  /** Only of alerts; null: in the whole organization. */
  projectSlug: string | null;
  /** null: as the next wider setting says. */
  isOn: boolean | null;
};

/** Changes what mail a user wants. Throws Invalid, and NotFound for an organization or a project that is not theirs. */
export async function updateNotificationSetting(
  { stores }: { stores: Pick<Stores, 'accounts' | 'notifications' | 'projects'> },
  userId: string,
  { kind, organizationSlug, projectSlug, isOn }: NotificationChange,
): Promise<void> {
  if (!NOTIFICATION_KINDS.includes(kind)) throw invalid(`There is no mail of the kind "${kind}"`, 'kind');
  if (organizationSlug === null && projectSlug !== null) {
    throw invalid('A project is named with its organization', 'projectSlug');
  }
  if (projectSlug !== null && kind !== 'alerts') {
    throw invalid('Only alerts are chosen by project', 'projectSlug');
  }
  if (organizationSlug === null) {
    await stores.notifications.set(userId, { organizationId: null, projectId: null }, kind, isOn);
    return;
  }
  const organization = await stores.projects.findOrganization(organizationSlug);
  const role = organization && (await stores.accounts.findRole(organization.id, userId));
  if (!organization || !role) throw notFound(`You are in no organization "${organizationSlug}"`);
  const organizationId = organization.id;
  const project =
    projectSlug === null ? null : await stores.projects.findProject(organizationId, projectSlug);
  if (projectSlug !== null && !project) {
    throw notFound(`The organization ${organizationSlug} has no project "${projectSlug}"`);
  }
  await stores.notifications.set(userId, { organizationId, projectId: project?.id ?? null }, kind, isOn);
}
