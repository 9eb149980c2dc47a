import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import type { CommitInput, RefInput } from '#product/commits/check-commits.ts';
import { RELEASE_STATUSES } from '#product/releases/release.ts';
import type { ReleaseContent } from '#product/releases/save-release.ts';

/** Commits with the names of their files; sentry-cli sends all at once. */
export const RELEASE_BYTES_MAX = 10 * 1024 * 1024;

const TEXT_CHARACTERS_MAX = 4_000;

const text = z.string().max(TEXT_CHARACTERS_MAX);

const COMMIT = z.object({
  id: text,
  repository: text.nullish(),
  message: z.string().nullish(),
  author_name: text.nullish(),
  author_email: text.nullish(),
  timestamp: text.nullish(),
  patch_set: z.array(z.object({ path: z.string(), type: text })).nullish(),
});

const REF = z.object({ repository: text, commit: text, previousCommit: text.nullish() });

/** The older form of the same. */
const HEAD_COMMIT = z.object({ repository: text, currentId: text, previousId: text.nullish() });

export const RELEASE_CHANGE = z.object({
  ref: text.nullish(),
  url: text.nullish(),
  dateStarted: text.nullish(),
  dateReleased: text.nullish(),
  status: z.enum(RELEASE_STATUSES).nullish(),
  commits: z.array(COMMIT).nullish(),
  refs: z.array(REF).nullish(),
  headCommits: z.array(HEAD_COMMIT).nullish(),
});

/** `projects` by slug or number. Source: https://docs.sentry.io/api/releases/create-a-new-release-for-an-organization/ */
export const NEW_RELEASE = RELEASE_CHANGE.extend({
  version: text,
  projects: z.array(z.union([text, z.number()])).nullish(),
});

/**
 * What is null stays as it is, as at Sentry; an empty text takes away.
 * Source: https://docs.sentry.io/api/releases/update-an-organizations-release/
 */
export function toReleaseContent(body: z.infer<typeof RELEASE_CHANGE>): ReleaseContent {
  const { status, url, ref, dateStarted, dateReleased } = body;
  return {
    change: {
      ...(status && { status }),
      ...(typeof url === 'string' && { url: url || null }),
      ...(typeof ref === 'string' && { ref: ref || null }),
      ...(dateStarted && { startedAt: parseMoment(dateStarted, 'dateStarted') }),
      ...(dateReleased && { releasedAt: parseMoment(dateReleased, 'dateReleased') }),
    },
    commits: body.commits?.map(toCommit),
    refs: body.refs ?? body.headCommits?.map(toRef),
  };
}

const toCommit = (commit: z.infer<typeof COMMIT>): CommitInput => ({
  id: commit.id,
  repository: commit.repository,
  message: commit.message,
  authorName: commit.author_name,
  authorEmail: commit.author_email,
  committedAt: commit.timestamp ? parseMoment(commit.timestamp, 'commits') : null,
  files: commit.patch_set,
});

const toRef = ({ repository, currentId, previousId }: z.infer<typeof HEAD_COMMIT>): RefInput => ({
  repository,
  commit: currentId,
  previousCommit: previousId,
});

/** A day, and after `T` or a blank its time with or without a zone. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)[ ]?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Milliseconds since the epoch of a time in ISO 8601; without a zone it is UTC. Throws Invalid, also for one before 1970. */
export function parseMoment(written: string, field: string): number {
  const [, day, time = '00:00', zone = 'Z'] = MOMENT.exec(written.trim()) ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  if (ms >= 0) return ms;
  throw invalid(
    `"${field}" is not a valid time since 1970: use a format such as 2026-01-31T12:00:00Z`,
    field,
  );
}
