import { NOTIFICATION_KINDS, type NotificationKind } from '#domain/notification-kinds.ts';
import { invalid, notFound } from '#lib/errors.ts';
import type { Services } from '#product/services.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { ActivityReason } from './activity-outbox-store.ts';
import type { NotificationSetting } from './notification-store.ts';

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
  if (!NOTIFICATION_KINDS.includes(kind)) throw invalid(`"${kind}" is not a valid notification type`, 'kind');
  if (organizationSlug === null && projectSlug !== null) {
    throw invalid('Specify a project together with its organization', 'projectSlug');
  }
  if (projectSlug !== null && kind !== 'alerts') {
    throw invalid('Only alerts can be set per project', 'projectSlug');
  }
  if (organizationSlug === null) {
    await stores.notifications.set(userId, { organizationId: null, projectId: null }, kind, isOn);
    return;
  }
  const organization = await stores.projects.findOrganization(organizationSlug);
  const role = organization && (await stores.accounts.findRole(organization.id, userId));
  if (!organization || !role)
    throw notFound(`You are not a member of the organization "${organizationSlug}"`);
  const organizationId = organization.id;
  const actor = { kind: 'user' as const, userId, name, role, isInstanceOwner };
  const visible = await listVisibleProjects({ stores, organization, actor, now, publicUrl });
  const project = visible.find(({ slug }) => slug === projectSlug) ?? null;
  if (projectSlug !== null && !project) {
    throw notFound(`The organization ${organizationSlug} has no project "${projectSlug}"`);
  }
  await stores.notifications.set(userId, { organizationId, projectId: project?.id ?? null }, kind, isOn);
}

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

/** As pages and mails call them. */
export const NOTIFICATION_WORDS: Readonly<Record<NotificationKind, { name: string; about: string }>> = {
  alerts: { name: 'Alerts', about: 'Alert rules that notify you or one of your teams.' },
  assigned: { name: 'Assigned to me', about: 'An issue was assigned to you or one of your teams.' },
  mentions: { name: 'Mentions', about: 'A comment mentions you or one of your teams.' },
  workflow: {
    name: 'Subscribed issues',
    about: 'Comments, and when an issue you are subscribed to is resolved, archived, reopened, or regresses.',
  },
  weekly_report: { name: 'Weekly report', about: 'A summary of the past week, sent on Mondays.' },
};

/** Which setting decides whether somebody is notified for that reason. */
export const KIND_OF_REASON: Readonly<Record<ActivityReason, NotificationKind>> = {
  assigned: 'assigned',
  mentioned: 'mentions',
  subscribed: 'workflow',
};
