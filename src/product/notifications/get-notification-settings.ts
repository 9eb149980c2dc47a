import type { Services } from '#product/services.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '#storage/ports/notifications.ts';
import { saidIn } from './settled.ts';

export type NotificationSettings = {
  everywhere: Readonly<Record<NotificationKind, boolean>>;
  /** By slug. null: as the next wider setting says. */
  organizations: readonly {
    slug: string;
    name: string;
    settings: Readonly<Record<NotificationKind, boolean | null>>;
    projects: readonly { slug: string; name: string; alerts: boolean | null }[];
  }[];
};

/** What mail a user wants, everywhere and in each of their organizations. */
export async function getNotificationSettings(
  { stores, now, publicUrl }: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  user: { userId: string; name: string; isInstanceOwner: boolean },
): Promise<NotificationSettings> {
  const [settings, memberships, organizations] = await Promise.all([
    stores.notifications.list(user.userId),
    stores.accounts.listMemberships(user.userId),
    stores.projects.listOrganizations(),
  ]);
  const own = organizations.flatMap((organization) => {
    const membership = memberships.find(({ organizationId }) => organizationId === organization.id);
    return membership ? { organization, role: membership.role } : [];
  });
  return {
    everywhere: eachKind((kind) => saidIn(settings, kind, null) ?? true),
    organizations: await Promise.all(
      own.map(async ({ organization, role }) => {
        const actor = { kind: 'user' as const, role, ...user };
        const projects = await listVisibleProjects({ stores, organization, actor, now, publicUrl });
        return {
          slug: organization.slug,
          name: organization.name,
          settings: eachKind((kind) => saidIn(settings, kind, organization.id)),
          projects: projects.map(({ id, slug, name }) => ({
            slug,
            name,
            alerts: saidIn(settings, 'alerts', organization.id, id),
          })),
        };
      }),
    ),
  };
}

const eachKind = <Value>(valueFor: (kind: NotificationKind) => Value) =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, valueFor(kind)])) as Record<
    NotificationKind,
    Value
  >;
