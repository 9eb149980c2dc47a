import { invalid, notFound } from '#lib/errors.ts';
import type { Services } from '#product/services.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '#storage/ports/notifications.ts';

export type NotificationChange = {
  kind: NotificationKind;
  /** null: everywhere. */
  organizationSlug: string | null;
  /** Only of alerts; null: in the whole organization. */
  projectSlug: string | null;
  /** null: as the next wider setting says. */
  isOn: boolean | null;
};

/**
 * Changes what mail a user wants. Throws Invalid, and NotFound for an organization that is not theirs or a project that
 * they do not see.
 */
export async function updateNotificationSetting(
  { stores, now, publicUrl }: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  { userId, name, isInstanceOwner }: { userId: string; name: string; isInstanceOwner: boolean },
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
  const actor = { kind: 'user' as const, userId, name, role, isInstanceOwner };
  const visible = await listVisibleProjects({ stores, organization, actor, now, publicUrl });
  const project = visible.find(({ slug }) => slug === projectSlug) ?? null;
  if (projectSlug !== null && !project) {
    throw notFound(`The organization ${organizationSlug} has no project "${projectSlug}"`);
  }
  await stores.notifications.set(userId, { organizationId, projectId: project?.id ?? null }, kind, isOn);
}
