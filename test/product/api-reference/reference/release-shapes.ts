import { z } from 'zod';
import { anything, flag, number, text } from './primitives.ts';

export const releaseAuthor = z.looseObject({
  lastLogin: text.optional(),
  has2fa: flag.optional(),
  lastActive: text.optional(),
  isSuperuser: flag.optional(),
  isStaff: flag.optional(),
  emails: z.array(z.record(z.string(), z.union([flag, number, text]))).optional(),
  id: number,
  name: text,
  username: text,
  email: text,
  avatarUrl: text,
  isActive: flag,
  hasPasswordAuth: flag,
  isManaged: flag,
  dateJoined: text,
});

export const releaseProject = z.looseObject({
  dateReleased: text.nullable().optional(),
  dateCreated: text.nullable().optional(),
  dateStarted: text.nullable().optional(),
  id: number,
  slug: text,
  name: text,
  platform: text.nullable(),
  platforms: z.array(text).nullable(),
  hasHealthData: flag,
  newGroups: number,
});

export const release = z.looseObject({
  ref: text.nullable().optional(),
  url: text.nullable().optional(),
  dateReleased: text.nullable().optional(),
  dateCreated: text.nullable().optional(),
  dateStarted: text.nullable().optional(),
  firstEvent: text.nullable().optional(),
  lastEvent: text.nullable().optional(),
  userAgent: text.nullable().optional(),
  id: number,
  version: text,
  newGroups: number,
  status: text,
  shortVersion: text,
  versionInfo: z
    .looseObject({
      description: text.optional(),
      package: text.nullable(),
      version: z.record(z.string(), anything),
      buildHash: text.nullable(),
    })
    .nullable(),
  data: z.record(z.string(), anything),
  commitCount: number,
  deployCount: number,
  authors: z.array(releaseAuthor),
  projects: z.array(releaseProject),
});

export const deploy = z.looseObject({
  id: text,
  environment: text,
  dateStarted: text.nullable(),
  dateFinished: text,
  name: text.nullable(),
  url: text.nullable(),
});

export const releaseOfList = z.looseObject({
  id: number.optional(),
  authors: z.array(z.record(z.string(), anything)),
  commitCount: number,
  data: z.record(z.string(), anything),
  dateCreated: text,
  dateReleased: text.nullable(),
  deployCount: number,
  firstEvent: text.nullable(),
  lastCommit: z.record(z.string(), anything).nullable(),
  lastDeploy: z.union([deploy, text]).nullable(),
  lastEvent: text.nullable(),
  newGroups: number,
  owner: z.record(z.string(), anything).nullable(),
  projects: z.array(z.looseObject({ name: text.optional(), slug: text.optional() })),
  ref: text.nullable(),
  shortVersion: text,
  version: text,
  url: text.nullable(),
});

export const releaseFile = z.looseObject({
  sha1: text,
  dist: text.nullable(),
  name: text,
  dateCreated: text,
  headers: z.looseObject({ 'Content-Type': text.optional() }),
  id: text,
  size: number,
});

export const commit = z.looseObject({ dateCreated: text, id: text, message: text.nullable() });
