import { z } from 'zod';
import { always, EMPTY_LIST, EMPTY_OBJECT, each, FALSE, shapeOf, ZERO } from '#app/api/0/shape.ts';
import { ORGANIZATION_FIELDS } from '#app/api/0/shapes/organization.ts';
import { ROLE } from '#app/api/0/shapes/parts.ts';
import { PROJECT, serializeProject } from '#app/api/0/shapes/project.ts';
import { ROLE_LIST_FIELDS } from '#app/api/0/shapes/role.ts';
import { PRIVACY_FIELDS } from '#app/api/0/shapes/scrubbing.ts';
import { serializeTeamCore, TEAM_CORE } from '#app/api/0/shapes/team.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';

type Details = Context &
  PrivacySettings & { isSharingAllowed: boolean; teams: readonly Team[]; projects: readonly Project[] };

const roleOf = ({ actor }: Pick<Context, 'actor'>) => ('role' in actor ? actor.role : undefined);

/**
 * With its settings, teams and projects; `role` and `orgRole` are those of the person who asks.
 * Source of the fields: https://docs.sentry.io/api/organizations/retrieve-an-organization/
 */
export const [ORGANIZATION_DETAIL, serializeOrganizationDetail] = shapeOf<Details>()(
  {
    ...ORGANIZATION_FIELDS,
    isDefault: FALSE,
    defaultRole: always(z.string(), 'member'),
    ...ROLE_LIST_FIELDS,
    allowSharedIssues: [z.boolean(), 'isSharingAllowed'],
    ...each(FALSE, 'allowJoinRequests', 'eventsMemberAdmin', 'alertsMemberWrite'),
    pendingAccessRequests: ZERO,
    experiments: EMPTY_OBJECT,
    trustedRelays: EMPTY_LIST,
    teams: [z.array(TEAM_CORE), (row) => row.teams.map((team) => serializeTeamCore(team, row))],
    projects: [
      z.array(PROJECT),
      (row) => row.projects.map((project) => serializeProject(project, row, row.teams)),
    ],
    ...PRIVACY_FIELDS,
    ...each([ROLE.optional(), roleOf], 'role', 'orgRole'),
  },
  'OrganizationDetail',
);
