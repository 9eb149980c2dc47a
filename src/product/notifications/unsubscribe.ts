import type { NotificationKind } from '#domain/notification-kinds.ts';
import type { Stores } from '#product/stores.ts';
import { isOnIn } from './notification-settings.ts';
import type { UnsubscribeLinks } from './unsubscribe-links.ts';

export type UnsubscribeParts = {
  stores: Pick<Stores, 'accounts' | 'notifications' | 'projects'>;
  unsubscribeLinks: UnsubscribeLinks;
};

/** What a link in a mail is about. */
export type Subscribed = {
  kind: NotificationKind;
  organization: { slug: string; name: string };
  /** Whose mail it is. */
  email: string;
  /** Whether such mail comes now. */
  isOn: boolean;
};

/** Changes nothing: programs that check mail open links too. null for a link that is none, or is of somebody who left. */
export async function openUnsubscribe(parts: UnsubscribeParts, token: string): Promise<Subscribed | null> {
  return (await find(parts, token))?.subscribed ?? null;
}

/** Switches the mail off. null as above. */
export async function unsubscribe(parts: UnsubscribeParts, token: string): Promise<Subscribed | null> {
  return change(parts, token, false);
}

/** Switches it on again. null as above. */
export async function undoUnsubscribe(parts: UnsubscribeParts, token: string): Promise<Subscribed | null> {
  return change(parts, token, true);
}

async function change(parts: UnsubscribeParts, token: string, isOn: boolean): Promise<Subscribed | null> {
  const found = await find(parts, token);
  if (!found) return null;
  const { userId, organizationId, projectIds, subscribed } = found;
  const { notifications } = parts.stores;
  await notifications.set(userId, { organizationId, projectId: null }, subscribed.kind, isOn);
  // A project where it was chosen to come would otherwise go on sending, after a click that says: no more.
  if (!isOn) {
    for (const projectId of projectIds) {
      await notifications.set(userId, { organizationId, projectId }, subscribed.kind, null);
    }
  }
  return { ...subscribed, isOn };
}

async function find({ stores, unsubscribeLinks }: UnsubscribeParts, token: string) {
  const what = unsubscribeLinks.read(token);
  if (!what) return null;
  const { userId, organizationId, kind } = what;
  const [user, role, organizations, settings] = await Promise.all([
    stores.accounts.findUser(userId),
    stores.accounts.findRole(organizationId, userId),
    stores.projects.listOrganizations(),
    stores.notifications.list(userId),
  ]);
  const organization = organizations.find(({ id }) => id === organizationId);
  if (!user || !role || !organization) return null;
  const subscribed: Subscribed = {
    kind,
    organization: { slug: organization.slug, name: organization.name },
    email: user.email,
    isOn: isOnIn(settings, kind, organizationId),
  };
  const projectIds = settings.flatMap((setting) =>
    setting.kind === kind &&
    setting.organizationId === organizationId &&
    setting.projectId !== null &&
    setting.isOn
      ? setting.projectId
      : [],
  );
  return { userId, organizationId, projectIds, subscribed };
}
