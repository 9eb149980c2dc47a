import type { Organization, Project } from '#storage/ports/projects.ts';
import type { Team } from '#storage/ports/teams.ts';
import { serializeProjectSummary } from './serialize-project.ts';

/** Source of the fields: https://docs.sentry.io/api/teams/retrieve-a-team/ */
export function serializeTeam(
  team: Team,
  around: { organization: Organization; projects: readonly Project[]; userId: string | null },
) {
  const { organization, projects, userId } = around;
  return {
    id: String(team.id),
    slug: team.slug,
    name: team.name,
    dateCreated: new Date(team.createdAt).toISOString(),
    isMember: userId !== null && team.memberIds.includes(userId),
    memberCount: team.memberIds.length,
    organization: { id: String(organization.id), slug: organization.slug, name: organization.name },
    projects: projects.filter(({ id }) => team.projectIds.includes(id)).map(serializeProjectSummary),
  };
}
