import { z } from 'zod';
import { EMPTY_OBJECT, each, FALSE, idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { ORGANIZATION, serializeOrganization } from '#app/api/0/shapes/organization.ts';
import { NO_AVATAR, SCOPE, serializeAccess } from '#app/api/0/shapes/parts.ts';
import { PROJECT_CORE, serializeProjectCore } from '#app/api/0/shapes/project.ts';
import type { Project } from '#domain/projects.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Team } from '#product/teams/team-store.ts';

type Asking = Pick<Context, 'actor' | 'organization' | 'publicUrl'>;

/** What a team is by itself, as organizations and projects list theirs. */
export const [TEAM_CORE, serializeTeamCore, CORE_FIELDS] = shapeOf<Team, [ctx: Pick<Context, 'actor'>]>()(
  {
    id: idOf('id'),
    ...each(z.string(), 'slug', 'name'),
    dateCreated: isoMs('createdAt'),
    isMember: [z.boolean(), (team, ctx) => isMember(team, ctx)],
    // Nobody has a role of their own in a team.
    teamRole: NULL,
    flags: EMPTY_OBJECT,
    access: [z.array(SCOPE), (_, ctx) => serializeAccess(ctx)],
    hasAccess: [z.boolean(), (team, ctx) => isMember(team, ctx) || hasRight(ctx.actor, 'team:read')],
    isPending: FALSE,
    memberCount: [z.number(), ({ memberIds }) => memberIds.length],
    avatar: NO_AVATAR,
  },
  'TeamCore',
);

/** With those of its projects that the caller can see. Source of the fields: https://docs.sentry.io/api/teams/retrieve-a-team/ */
export const [TEAM, serializeTeam] = shapeOf<Team, [ctx: Asking, projects: readonly Project[]]>()(
  {
    ...CORE_FIELDS,
    organization: [ORGANIZATION, (_, ctx) => serializeOrganization(ctx)],
    projects: [
      z.array(PROJECT_CORE),
      ({ projectIds }, ctx, projects) =>
        projects
          .filter(({ id }) => projectIds.includes(id))
          .map((project) => serializeProjectCore(project, ctx)),
    ],
  },
  'Team',
);

function isMember({ memberIds }: Team, ctx: Pick<Context, 'actor'>): boolean {
  const userId = userIdOf(ctx);
  return userId !== null && memberIds.includes(userId);
}
