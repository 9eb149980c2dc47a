import type { Organization, Project } from '#storage/ports/projects.ts';
import { serializeOrganization } from './serialize-organization.ts';

/** Source of the fields: https://docs.sentry.io/api/projects/retrieve-a-project/ */
export function serializeProject(project: Project, organization: Organization, publicUrl: string) {
  return {
    ...serializeProjectSummary(project),
    dateCreated: new Date(project.createdAt).toISOString(),
    firstEvent: project.firstEventAt === null ? null : new Date(project.firstEventAt).toISOString(),
    firstTransactionEvent: false,
    status: 'active',
    isInternal: project.isInternal,
    isPublic: false,
    isMember: true,
    hasAccess: true,
    isBookmarked: false,
    avatar: { avatarType: 'letter_avatar', avatarUuid: null },
    features: [],
    teams: [],
    organization: serializeOrganization(organization, publicUrl),
  };
}

/** As an issue names its project. */
export function serializeProjectSummary(project: Project) {
  return { id: String(project.id), slug: project.slug, name: project.name, platform: project.platform };
}
