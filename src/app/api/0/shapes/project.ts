import { z } from 'zod';
import { ORGANIZATION, serializeOrganization } from '#app/api/0/shapes/organization.ts';
import { AVATAR, NO_AVATAR, SCOPE, SLUGGED, serializeAccess } from '#app/api/0/shapes/parts.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';

export const PROJECT_SUMMARY = z
  .object({ id: z.string(), slug: z.string(), name: z.string(), platform: z.string().nullable() })
  .meta({ id: 'ProjectSummary' });

/** As part of a team. */
export const PROJECT_CORE = PROJECT_SUMMARY.extend({
  dateCreated: z.string(),
  firstEvent: z.string().nullable(),
  firstTransactionEvent: z.boolean(),
  status: z.string(),
  isInternal: z.boolean(),
  isPublic: z.boolean(),
  isMember: z.boolean(),
  hasAccess: z.boolean(),
  isBookmarked: z.boolean(),
  access: z.array(SCOPE),
  avatar: AVATAR,
  color: z.string(),
  features: z.array(z.unknown()),
  platforms: z.array(z.string()),
}).meta({ id: 'ProjectCore' });

export const PROJECT = PROJECT_CORE.extend({
  team: SLUGGED.nullable(),
  teams: z.array(SLUGGED),
  organization: ORGANIZATION,
}).meta({ id: 'Project' });

/** With its settings. */
export const PROJECT_DETAIL = PROJECT.extend({
  team: SLUGGED.optional(),
  latestRelease: z.object({ version: z.string() }).nullable(),
  options: z.object({}),
  fingerprintingRules: z.string(),
  groupingEnhancements: z.string(),
  resolveAge: z.number(),
  plugins: z.array(z.unknown()),
  processingIssues: z.number(),
  defaultEnvironment: z.null(),
  dataScrubber: z.boolean(),
  dataScrubberDefaults: z.boolean(),
  scrubIPAddresses: z.boolean(),
  sensitiveFields: z.array(z.string()),
  safeFields: z.array(z.string()),
}).meta({ id: 'ProjectDetail' });

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
    avatar: NO_AVATAR,
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

/** Projects with the teams that have them, for lists. What may be read, the caller has decided. */
export async function serializeProjects(ctx: Context, projects: readonly Project[]) {
  const teams = await ctx.stores.teams.list(ctx.organization.id);
  return projects.map((project) => serializeProject(ctx, project, teams));
}

export const serializeOneProject = async (ctx: Context, project: Project) =>
  serializeProject(ctx, project, await ctx.stores.teams.list(ctx.organization.id));
