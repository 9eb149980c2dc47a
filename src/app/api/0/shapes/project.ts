import { z } from 'zod';
import {
  always,
  EMPTY_LIST,
  EMPTY_OBJECT,
  each,
  FALSE,
  idOf,
  isoMs,
  isoMsOrNull,
  NULL,
  shapeOf,
  TRUE,
  ZERO,
} from '#app/api/0/shape.ts';
import { ORGANIZATION, serializeOrganization } from '#app/api/0/shapes/organization.ts';
import { NO_AVATAR, SCOPE, SLUGGED, serializeAccess, serializeSlugged } from '#app/api/0/shapes/parts.ts';
import { PRIVACY_FIELDS } from '#app/api/0/shapes/scrubbing.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Team } from '#product/teams/team-store.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';

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
export const [PROJECT, serializeProject, PROJECT_FIELDS] = shapeOf<
  Project,
  [ctx: Asking, teams: readonly Team[]]
>()(
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

type Settings = PrivacySettings & {
  newestRelease: string | null;
  rules: { fingerprint: string; stackTrace: string };
};

/** A project with its settings. Source of the fields: https://docs.sentry.io/api/projects/retrieve-a-project/ */
export const [PROJECT_DETAIL, serializeProjectDetail] = shapeOf<
  Project & Settings,
  [ctx: Asking, teams: readonly Team[]]
>()(
  {
    ...PROJECT_FIELDS,
    team: [SLUGGED.optional(), (project, _, teams) => serializeOwners(project, teams)[0]],
    latestRelease: [
      z.object({ version: z.string() }).nullable(),
      ({ newestRelease: version }) => (version === null ? null : { version }),
    ],
    options: EMPTY_OBJECT,
    fingerprintingRules: [z.string(), ({ rules }) => rules.fingerprint],
    groupingEnhancements: [z.string(), ({ rules }) => rules.stackTrace],
    // An issue stays open until somebody or a release closes it.
    resolveAge: ZERO,
    plugins: EMPTY_LIST,
    processingIssues: ZERO,
    defaultEnvironment: NULL,
    ...PRIVACY_FIELDS,
  },
  'ProjectDetail',
);

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

/** A project as lists of projects have it: clients choose an environment from there. */
export const LISTED_PROJECT = PROJECT.extend({ environments: z.array(z.string()) }).meta({
  id: 'ListedProject',
});

/** As `serializeProjects`; environments are of events, and empty for who may not read these. */
export async function serializeListedProjects(ctx: Context, projects: readonly Project[]) {
  const ids = hasRight(ctx.actor, 'event:read') ? projects.map(({ id }) => id) : [];
  const [rows, environments] = await Promise.all([
    serializeProjects(ctx, projects),
    ctx.stores.projects.listProjectEnvironments(ctx.organization.id, ids),
  ]);
  return rows.map((row) => ({ ...row, environments: [...(environments.get(Number(row.id)) ?? [])] }));
}

export const serializeOneProject = async (ctx: Context, project: Project) =>
  serializeProject(project, ctx, await ctx.stores.teams.list(ctx.organization.id));
