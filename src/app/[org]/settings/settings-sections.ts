import type { SettingsGroup, SettingsPage } from '#app/shell/settings-navigation.tsx';
import { isInstanceOwner } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Scope } from '#protocol/scopes.ts';

type Section = SettingsPage & { right?: Scope; isForInstanceOwner?: boolean };

/** Every page of the organization's settings, in its order. */
const GROUPS: readonly { label: string; pages: readonly Section[] }[] = [
  {
    label: 'Organization',
    pages: [
      { path: '', label: 'General' },
      { path: 'members', label: 'Members' },
      { path: 'teams', label: 'Teams' },
      { path: 'projects', label: 'Projects' },
    ],
  },
  {
    label: 'Security and privacy',
    pages: [
      { path: 'auth', label: 'Security & SSO' },
      { path: 'tokens', label: 'Auth tokens' },
      { path: 'privacy', label: 'Privacy' },
      { path: 'data-requests', label: 'Data requests', right: 'org:write' },
      { path: 'sharing', label: 'Sharing' },
      { path: 'audit-log', label: 'Audit log', right: 'org:write' },
    ],
  },
  {
    label: 'Connections',
    pages: [
      { path: 'repositories', label: 'Repositories' },
      { path: 'integrations', label: 'Integrations' },
      { path: 'destinations', label: 'Destinations' },
    ],
  },
  {
    label: 'Usage',
    pages: [
      { path: 'capacity', label: 'Load and capacity' },
      { path: 'quotas', label: 'Quotas' },
      { path: 'storage', label: 'Storage', isForInstanceOwner: true },
      { path: 'backups', label: 'Backups', isForInstanceOwner: true },
    ],
  },
];

/** The pages that the actor may open. */
export function settingsGroups(ctx: Context): readonly SettingsGroup[] {
  return GROUPS.map(({ label, pages }) => ({
    label,
    pages: pages
      .filter(
        ({ right, isForInstanceOwner }) =>
          (!right || hasRight(ctx.actor, right)) && (!isForInstanceOwner || isInstanceOwner(ctx)),
      )
      .map(({ path, label }) => ({ path, label })),
  }));
}
