import { z } from 'zod';
import { AUTHOR, COMMIT } from './commit.ts';
import { DEPLOY } from './deploy.ts';

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
