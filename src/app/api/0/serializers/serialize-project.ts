import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';
import { AVATAR, serializeAccess } from './serialize-access.ts';
import { serializeOrganization } from './serialize-organization.ts';

/** A project as lists have it. Source of the fields: https://docs.sentry.io/api/projects/list-your-projects/ */
export function serializeProject(
  ctx: Pick<Context, 'actor' | 'organization' | 'publicUrl'>,
  project: Project,
  teams: readonly Team[],
) {
  const owners = teams
    .filter(({ projectIds }) => projectIds.includes(project.id))
    .map(({ id, slug, name }) => ({ id: String(id), slug, name }));
  return {
    ...serializeProjectCore(ctx, project),
    team: owners[0] ?? null,
    teams: owners,
    organization: serializeOrganization(ctx),
  };
}

/** What a project is by itself, as teams list theirs. */
export function serializeProjectCore(ctx: Pick<Context, 'actor'>, project: Project) {
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
    access: serializeAccess(ctx),
    avatar: AVATAR,
    color: colorOf(project.slug),
    features: [],
    platforms: project.platform === null ? [] : [project.platform],
  };
}

/** As an issue names its project. */
export function serializeProjectSummary(project: Project) {
  return { id: String(project.id), slug: project.slug, name: project.name, platform: project.platform };
}

const COLORS = ['#3f6fbf', '#bf3f7f', '#7f3fbf', '#3fbfa7', '#bf7f3f', '#5f9f3f'] as const;

/** One for each slug, always the same. */
function colorOf(slug: string): string {
  const sum = Array.from(slug).reduce((total, sign) => total + (sign.codePointAt(0) ?? 0), 0);
  return COLORS[sum % COLORS.length]!;
}
