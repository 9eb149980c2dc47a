import { serializeOrganization } from '#app/api/0/serializers/serialize-organization.ts';
import { serializePrivacy } from '#app/api/0/serializers/serialize-privacy.ts';
import { serializeProjects } from '#app/api/0/serializers/serialize-projects.ts';
import { serializeRoles } from '#app/api/0/serializers/serialize-roles.ts';
import { serializeTeamCore } from '#app/api/0/serializers/serialize-team.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { getOrganizationPrivacy } from '#product/privacy/privacy-settings.ts';
import { getOrganizationSharing } from '#product/sharing/sharing.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

/**
 * An organization with its settings, teams and projects; without them for builds, which may only know that it is there.
 * Source of the fields: https://docs.sentry.io/api/organizations/retrieve-an-organization/
 */
export async function describeOrganization(ctx: Context) {
  const summary = serializeOrganization(ctx);
  if (!hasRight(ctx.actor, 'org:read')) return summary;
  const [projects, teams, privacy, sharing] = await Promise.all([
    listVisibleProjects(ctx),
    ctx.stores.teams.list(ctx.organization.id),
    getOrganizationPrivacy(ctx),
    getOrganizationSharing(ctx),
  ]);
  const role = 'role' in ctx.actor ? ctx.actor.role : null;
  return {
    ...summary,
    ...(role !== null && { role, orgRole: role }),
    ...serializePrivacy(privacy),
    isDefault: false,
    defaultRole: 'member',
    ...serializeRoles(ctx),
    allowSharedIssues: sharing.isAllowed,
    allowJoinRequests: false,
    eventsMemberAdmin: false,
    alertsMemberWrite: false,
    pendingAccessRequests: 0,
    experiments: {},
    trustedRelays: [],
    teams: teams.map((team) => serializeTeamCore(ctx, team)),
    projects: await serializeProjects(ctx, projects),
  };
}
