import { z } from 'zod';
import { EMPTY_OBJECT, each, isoMsOrNull, NULL, shapeOf } from '#app/api/0/shape.ts';
import { AUTHOR, COMMIT, serializeAuthor, serializeCommit } from '#app/api/0/shapes/commit.ts';
import { DEPLOY, serializeDeploy } from '#app/api/0/shapes/deploy.ts';
import { isoOfMs, isoOfMsOrNull } from '#app/api/0/shapes/moments.ts';
import { NO_SESSIONS } from '#product/releases/count-sessions.ts';
import type { ProjectHealth } from '#product/releases/describe-health.ts';
import type { ReleaseDescription, ReleaseMeta } from '#product/releases/release-descriptions.ts';
import { parseReleaseVersion } from '#protocol/release-version.ts';

export const VERSION = z
  .object({
    package: z.string().nullable(),
    version: z.object({
      ...each(z.number().optional(), 'major', 'minor', 'patch'),
      pre: z.string().nullable().optional(),
      buildCode: z.string().nullable().optional(),
      components: z.number().optional(),
      raw: z.string(),
    }),
    description: z.string(),
    buildHash: z.string().nullable(),
  })
  .meta({ id: 'Version' });

function serializeVersion(version: string) {
  const { package: name, raw, semver } = parseReleaseVersion(version);
  const [major = 0, minor = 0, patch = 0] = semver?.numbers ?? [];
  return {
    package: name,
    version: {
      raw,
      ...(semver && {
        major,
        minor,
        patch,
        pre: semver.prerelease,
        buildCode: semver.build,
        components: semver.components,
      }),
    },
    description: semver && semver.build !== null ? `${raw.split('+')[0]} (${semver.build})` : raw,
    buildHash: semver === null && /^[0-9a-f]{12,64}$/i.test(raw) ? raw : null,
  };
}

const PERCENT = z.number().nullable();

/** Source of the fields: Sentry's release health of a project, of which the parts that need a past are left out. */
const HEALTH = z
  .object({
    hasHealthData: z.boolean(),
    ...each(PERCENT, 'crashFreeSessions', 'crashFreeUsers', 'adoption', 'sessionsAdoption'),
    ...each(z.number(), 'totalSessions', 'totalUsers', 'sessionsCrashed', 'sessionsErrored'),
    ...each(
      z.number(),
      'totalSessions24h',
      'totalUsers24h',
      'totalProjectSessions24h',
      'totalProjectUsers24h',
    ),
    /** Seconds. */
    ...each(z.number().nullable(), 'durationP50', 'durationP90'),
  })
  .meta({ id: 'ReleaseHealth' });

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);

function serializeHealth(health: ProjectHealth | null) {
  const { group = NO_SESSIONS, sessions = 0, sessions24h = 0, users24h = 0 } = health ?? {};
  const { projectSessions24h = 0, projectUsers24h = 0 } = health ?? {};
  return {
    hasHealthData: health !== null,
    crashFreeSessions: percent(sessions - group.crashed, sessions),
    crashFreeUsers: percent(group.users - group.crashedUsers, group.users),
    adoption: percent(users24h, projectUsers24h),
    sessionsAdoption: percent(sessions24h, projectSessions24h),
    totalSessions: sessions,
    totalUsers: group.users,
    sessionsCrashed: group.crashed,
    sessionsErrored: group.errored,
    totalSessions24h: sessions24h,
    totalUsers24h: users24h,
    totalProjectSessions24h: projectSessions24h,
    totalProjectUsers24h: projectUsers24h,
    durationP50: group.durations?.p50 ?? null,
    durationP90: group.durations?.p90 ?? null,
  };
}

export const [RELEASE_PROJECT, serializeReleaseProject] = shapeOf<ReleaseDescription['projects'][number]>()(
  {
    id: [z.number(), ({ project }) => project.id],
    slug: [z.string(), ({ project }) => project.slug],
    name: [z.string(), ({ project }) => project.name],
    newGroups: [z.number(), 'newIssues'],
    platform: [z.string().nullable(), ({ project }) => project.platform],
    platforms: [z.array(z.string()), ({ project: { platform } }) => (platform === null ? [] : [platform])],
    hasHealthData: [
      z.boolean().optional(),
      ({ health }) => (health === undefined ? undefined : health !== null),
    ],
    healthData: [
      HEALTH.optional(),
      ({ health }) => (health === undefined ? undefined : serializeHealth(health)),
    ],
  },
  'ReleaseProject',
);

const [, , COUNTS] = shapeOf<ReleaseDescription>()({
  version: [z.string(), ({ release }) => release.version],
  versionInfo: [VERSION, ({ release }) => serializeVersion(release.version)],
  projects: [
    z.array(RELEASE_PROJECT),
    ({ projects }) => projects.map((project) => serializeReleaseProject(project)),
  ],
  newGroups: [z.number(), ({ projects }) => projects.reduce((total, { newIssues }) => total + newIssues, 0)],
});

/** Source of the fields: https://docs.sentry.io/api/releases/retrieve-an-organizations-release/ */
export const [RELEASE, serializeRelease] = shapeOf<ReleaseDescription>()(
  {
    id: [z.number(), ({ release }) => release.id],
    version: COUNTS.version,
    status: [z.enum(['open', 'archived']), ({ release }) => release.status],
    shortVersion: COUNTS.version,
    versionInfo: COUNTS.versionInfo,
    ref: [z.string().nullable(), ({ release }) => release.ref],
    url: [z.string().nullable(), ({ release }) => release.url],
    dateCreated: [z.string().nullable(), ({ release }) => isoOfMs(release.createdAt)],
    dateStarted: [z.string().nullable(), ({ release }) => isoOfMsOrNull(release.startedAt)],
    dateReleased: [z.string().nullable(), ({ release }) => isoOfMsOrNull(release.releasedAt)],
    data: EMPTY_OBJECT,
    newGroups: COUNTS.newGroups,
    owner: NULL,
    commitCount: z.number(),
    lastCommit: [COMMIT.nullable(), ({ lastCommit }) => lastCommit && serializeCommit(lastCommit)],
    deployCount: z.number(),
    lastDeploy: [DEPLOY.nullable(), ({ lastDeploy }) => lastDeploy && serializeDeploy(lastDeploy)],
    authors: [
      z.array(AUTHOR),
      ({ authors }) => authors.map(({ author, member }) => serializeAuthor(author, member)),
    ],
    projects: COUNTS.projects,
    firstEvent: isoMsOrNull('firstEvent'),
    lastEvent: isoMsOrNull('lastEvent'),
    currentProjectMeta: EMPTY_OBJECT,
    userAgent: NULL,
  },
  'Release',
);

/** What Sentry's pages ask for besides. */
export const [RELEASE_META, serializeReleaseMeta] = shapeOf<ReleaseMeta>()(
  {
    ...COUNTS,
    ...each(z.number(), 'deployCount', 'commitCount'),
    released: [z.string().nullable(), ({ release }) => isoOfMs(release.releasedAt ?? release.createdAt)],
    commitFilesChanged: [z.number(), 'filesChanged'],
  },
  'ReleaseMeta',
);
