import { z } from 'zod';
import { ORGANIZATION, serializeOrganization } from '#app/api/0/shapes/organization.ts';
import { AVATAR, NO_AVATAR, SCOPE, serializeAccess } from '#app/api/0/shapes/parts.ts';
import { PROJECT_CORE, serializeProjectCore } from '#app/api/0/shapes/project.ts';
import type { Project } from '#domain/projects.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Team } from '#product/teams/team-store.ts';

/** As part of an organization. */
export const TEAM_CORE = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    dateCreated: z.string(),
    isMember: z.boolean(),
    teamRole: z.null(),
    flags: z.object({}),
    access: z.array(SCOPE),
    hasAccess: z.boolean(),
    isPending: z.boolean(),
    memberCount: z.number(),
    avatar: AVATAR,
  })
  .meta({ id: 'TeamCore' });

export const TEAM = TEAM_CORE.extend({ organization: ORGANIZATION, projects: z.array(PROJECT_CORE) }).meta({
  id: 'Team',
});

/** With its projects, of those that whoever asks sees. Source of the fields: https://docs.sentry.io/api/teams/retrieve-a-team/ */
export function serializeTeam(
  ctx: Pick<Context, 'actor' | 'organization' | 'publicUrl'>,
  team: Team,
  projects: readonly Project[],
) {
  return {
    ...serializeTeamCore(ctx, team),
    organization: serializeOrganization(ctx),
    projects: projects
      .filter(({ id }) => team.projectIds.includes(id))
      .map((project) => serializeProjectCore(ctx, project)),
  };
}

/** What a team is by itself, as organizations and projects list theirs. */
export function serializeTeamCore(ctx: Pick<Context, 'actor'>, team: Team) {
  const userId = userIdOf(ctx);
  const isMember = userId !== null && team.memberIds.includes(userId);
  return {
    id: String(team.id),
    slug: team.slug,
    name: team.name,
    dateCreated: new Date(team.createdAt).toISOString(),
    isMember,
    // Nobody has a role of their own in a team.
    teamRole: null,
    flags: {},
    access: serializeAccess(ctx),
    hasAccess: isMember || hasRight(ctx.actor, 'team:read'),
    isPending: false,
    memberCount: team.memberIds.length,
    avatar: NO_AVATAR,
  };
}
