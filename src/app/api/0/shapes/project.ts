import { z } from 'zod';
import {
  always,
  EMPTY_LIST,
  each,
  FALSE,
  idOf,
  isoMs,
  isoMsOrNull,
  shapeOf,
  TRUE,
} from '#app/api/0/shape.ts';
import { ORGANIZATION, serializeOrganization } from '#app/api/0/shapes/organization.ts';
import { NO_AVATAR, SCOPE, SLUGGED, serializeAccess, serializeSlugged } from '#app/api/0/shapes/parts.ts';
import { PRIVACY } from '#app/api/0/shapes/scrubbing.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';

type Asking = Pick<Context, 'actor' | 'organization' | 'publicUrl'>;

/** As an issue names its project. */
export const [PROJECT_SUMMARY, serializeProjectSummary, SUMMARY_FIELDS] = shapeOf<
  Pick<Project, 'id' | 'slug' | 'name' | 'platform'>
>()(
  { id: idOf('id'), ...each(z.string(), 'slug', 'name'), platform: z.string().nullable() },
  'ProjectSummary',
);

/** What a project is by itself, as teams list theirs. */
export const [PROJECT_CORE, serializeProjectCore, CORE_FIELDS] = shapeOf<
  Project,
  [ctx: Pick<Context, 'actor'>]
>()(
  {
    ...SUMMARY_FIELDS,
    dateCreated: isoMs('createdAt'),
    firstEvent: isoMsOrNull('firstEventAt'),
    firstTransactionEvent: FALSE,
    status: always(z.string(), 'active'),
    isInternal: z.boolean(),
    isPublic: FALSE,
    ...each(TRUE, 'isMember', 'hasAccess'),
    isBookmarked: FALSE,
    access: [z.array(SCOPE), (_, ctx) => serializeAccess(ctx)],
    avatar: NO_AVATAR,
    color: [z.string(), ({ slug }) => colorOf(slug)],
    features: EMPTY_LIST,
    platforms: [z.array(z.string()), ({ platform }) => (platform === null ? [] : [platform])],
  },
  'ProjectCore',
);

/** A project as lists have it. Source of the fields: https://docs.sentry.io/api/projects/list-your-projects/ */
export const [PROJECT, serializeProject] = shapeOf<Project, [ctx: Asking, teams: readonly Team[]]>()(
  {
    ...CORE_FIELDS,
    team: [SLUGGED.nullable(), (project, _, teams) => serializeOwners(project, teams)[0] ?? null],
    teams: [z.array(SLUGGED), (project, _, teams) => serializeOwners(project, teams)],
    organization: [ORGANIZATION, (_, ctx) => serializeOrganization(ctx)],
  },
  'Project',
);

const serializeOwners = ({ id }: Project, teams: readonly Team[]) =>
  teams.filter(({ projectIds }) => projectIds.includes(id)).map((team) => serializeSlugged(team));

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
  ...PRIVACY.shape,
}).meta({ id: 'ProjectDetail' });

const COLORS = ['#3f6fbf', '#bf3f7f', '#7f3fbf', '#3fbfa7', '#bf7f3f', '#5f9f3f'] as const;

/** One for each slug, always the same. */
function colorOf(slug: string): string {
  const sum = Array.from(slug).reduce((total, sign) => total + (sign.codePointAt(0) ?? 0), 0);
  return COLORS[sum % COLORS.length]!;
}

/** Projects with the teams that have them, for lists. What may be read, the caller has decided. */
export async function serializeProjects(ctx: Context, projects: readonly Project[]) {
  const teams = await ctx.stores.teams.list(ctx.organization.id);
  return projects.map((project) => serializeProject(project, ctx, teams));
}

export const serializeOneProject = async (ctx: Context, project: Project) =>
  serializeProject(project, ctx, await ctx.stores.teams.list(ctx.organization.id));
