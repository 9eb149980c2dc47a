import { isInstanceOwner } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Scope } from '#protocol/scopes.ts';

export type SettingsSection = {
  /** Below `/[org]/settings`; empty for the first page. */
  path: string;
  label: string;
};

/** Every page of the organization's settings, in its order. */
const SECTIONS: readonly (SettingsSection & { right?: Scope; isForInstanceOwner?: boolean })[] = [
  { path: '', label: 'General' },
  { path: 'members', label: 'Members' },
  { path: 'teams', label: 'Teams' },
  { path: 'projects', label: 'Projects' },
  { path: 'auth', label: 'Authentication' },
  { path: 'tokens', label: 'Auth tokens' },
  { path: 'repositories', label: 'Repositories' },
  { path: 'integrations', label: 'Integrations' },
  { path: 'destinations', label: 'Destinations' },
  { path: 'audit-log', label: 'Audit log', right: 'org:write' },
  { path: 'privacy', label: 'Privacy' },
  { path: 'sharing', label: 'Sharing' },
  { path: 'quotas', label: 'Quotas' },
  { path: 'storage', label: 'Storage', isForInstanceOwner: true },
];

/** The pages that the actor may open. */
export function settingsSections(ctx: Context): readonly SettingsSection[] {
  return SECTIONS.filter(
    ({ right, isForInstanceOwner }) =>
      (!right || hasRight(ctx.actor, right)) && (!isForInstanceOwner || isInstanceOwner(ctx)),
  ).map(({ path, label }) => ({ path, label }));
}
