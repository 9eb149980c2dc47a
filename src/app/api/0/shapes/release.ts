import { z } from 'zod';
import { AUTHOR, COMMIT, serializeAuthor, serializeCommit } from '#app/api/0/shapes/commit.ts';
import { DEPLOY, serializeDeploy } from '#app/api/0/shapes/deploy.ts';
import type { ReleaseDescription, ReleaseMeta } from '#product/releases/release-descriptions.ts';
import { parseReleaseVersion } from '#protocol/release-version.ts';

export const VERSION = z
  .object({
    package: z.string().nullable(),
    version: z.object({
      major: z.number().optional(),
      minor: z.number().optional(),
      patch: z.number().optional(),
      pre: z.string().nullable().optional(),
      buildCode: z.string().nullable().optional(),
      components: z.number().optional(),
      raw: z.string(),
    }),
    description: z.string(),
    buildHash: z.string().nullable(),
  })
  .meta({ id: 'Version' });

export const RELEASE_PROJECT = z
  .object({
    id: z.number(),
    slug: z.string(),
    name: z.string(),
    newGroups: z.number(),
    platform: z.string().nullable(),
    platforms: z.array(z.string()),
  })
  .meta({ id: 'ReleaseProject' });

export const RELEASE = z
  .object({
    id: z.number(),
    version: z.string(),
    status: z.enum(['open', 'archived']),
    shortVersion: z.string(),
    versionInfo: VERSION,
    ref: z.string().nullable(),
    url: z.string().nullable(),
    dateCreated: z.string().nullable(),
    dateStarted: z.string().nullable(),
    dateReleased: z.string().nullable(),
    data: z.object({}),
    newGroups: z.number(),
    owner: z.null(),
    commitCount: z.number(),
    lastCommit: COMMIT.nullable(),
    deployCount: z.number(),
    lastDeploy: DEPLOY.nullable(),
    authors: z.array(AUTHOR),
    projects: z.array(RELEASE_PROJECT),
    firstEvent: z.string().nullable(),
    lastEvent: z.string().nullable(),
    currentProjectMeta: z.object({}),
    userAgent: z.null(),
  })
  .meta({ id: 'Release' });

export const RELEASE_META = z
  .object({
    version: z.string(),
    versionInfo: VERSION,
    projects: z.array(RELEASE_PROJECT),
    newGroups: z.number(),
    deployCount: z.number(),
    commitCount: z.number(),
    released: z.string().nullable(),
    commitFilesChanged: z.number(),
  })
  .meta({ id: 'ReleaseMeta' });

/** Source of the fields: https://docs.sentry.io/api/releases/retrieve-an-organizations-release/ */
export function serializeRelease(description: ReleaseDescription) {
  const { release, lastCommit, lastDeploy } = description;
  return {
    id: release.id,
    version: release.version,
    status: release.status,
    shortVersion: release.version,
    versionInfo: serializeVersion(release.version),
    ref: release.ref,
    url: release.url,
    dateCreated: isoOf(release.createdAt),
    dateStarted: isoOf(release.startedAt),
    dateReleased: isoOf(release.releasedAt),
    data: {},
    newGroups: countNew(description),
    owner: null,
    commitCount: description.commitCount,
    lastCommit: lastCommit && serializeCommit(lastCommit),
    deployCount: description.deployCount,
    lastDeploy: lastDeploy && serializeDeploy(lastDeploy),
    authors: description.authors.map(({ author, member }) => serializeAuthor(author, member)),
    projects: description.projects.map(serializeReleaseProject),
    firstEvent: isoOf(description.firstEvent),
    lastEvent: isoOf(description.lastEvent),
    currentProjectMeta: {},
    userAgent: null,
  };
}

/** What Sentry's pages ask for besides. */
export function serializeReleaseMeta(meta: ReleaseMeta) {
  const { release } = meta;
  return {
    version: release.version,
    versionInfo: serializeVersion(release.version),
    projects: meta.projects.map(serializeReleaseProject),
    newGroups: countNew(meta),
    deployCount: meta.deployCount,
    commitCount: meta.commitCount,
    released: isoOf(release.releasedAt ?? release.createdAt),
    commitFilesChanged: meta.filesChanged,
  };
}

const countNew = ({ projects }: ReleaseDescription): number =>
  projects.reduce((total, { newIssues }) => total + newIssues, 0);

const serializeReleaseProject = ({ project, newIssues }: ReleaseDescription['projects'][number]) => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  newGroups: newIssues,
  platform: project.platform,
  platforms: project.platform === null ? [] : [project.platform],
});

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

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
