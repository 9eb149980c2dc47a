import { invalid } from '#lib/errors.ts';
import { checkRepositoryName } from '#product/repositories/repositories.ts';
import { type ChangedFile, FILE_CHANGES, type FileChange } from './commit.ts';

/** Commits of one release; builds send what is new since the release before, 20 for the first. */
export const COMMITS_MAX = 5_000;
/** Files of one commit and of one request that are kept; what comes after them is left out. */
export const FILES_PER_COMMIT_MAX = 2_000;
export const FILES_MAX = 50_000;
export const MESSAGE_CHARACTERS_MAX = 10_000;
const KEY_CHARACTERS_MAX = 64;
const PATH_CHARACTERS_MAX = 510;
const AUTHOR_CHARACTERS_MAX = 200;

const REFS_MAX = 100;
/** Of commits that name none. */
const REPOSITORY_DEFAULT = 'default';
/** A commit whose message says so is left out, as Sentry does. */
const SKIP_MARK = '#skipsentry';

/** As clients send it. */
export type CommitInput = {
  id: string;
  repository?: string | null;
  message?: string | null;
  authorName?: string | null;
  authorEmail?: string | null;
  /** Milliseconds since the epoch; null for now. */
  committedAt?: number | null;
  files?: readonly { path: string; type: string }[] | null;
};

/** `commit` may be a range, `older..newer`. */
export type RefInput = { repository: string; commit: string; previousCommit?: string | null };

/** Within its bounds; the repository by name. */
export type CheckedCommit = {
  repository: string;
  key: string;
  message: string;
  author: { name: string | null; email: string | null };
  committedAt: number;
  files: readonly ChangedFile[];
};

export type CheckedRef = { repository: string; commitKey: string; previousKey: string | null };

/** Newest first, without those that say that they are to be left out. Throws Invalid, naming the field. */
export function checkCommits(commits: readonly CommitInput[], nowMs: number): readonly CheckedCommit[] {
  if (commits.length > COMMITS_MAX) {
    throw invalid(
      `A release can have at most ${COMMITS_MAX} commits: send only the commits since the previous release, for example with --initial-depth`,
      'commits',
    );
  }
  let filesLeft = FILES_MAX;
  return commits
    .filter(({ message }) => !message?.includes(SKIP_MARK))
    .map((commit) => ({ commit, at: commit.committedAt ?? nowMs }))
    .sort((a, b) => b.at - a.at)
    .map(({ commit, at }) => {
      const files = readFiles(commit.files ?? []).slice(0, filesLeft);
      filesLeft -= files.length;
      return {
        repository: checkRepositoryName(commit.repository?.trim() || REPOSITORY_DEFAULT),
        key: checkKey(commit.id, 'commits'),
        message: (commit.message ?? '').slice(0, MESSAGE_CHARACTERS_MAX),
        author: {
          name: cutOrNull(commit.authorName),
          email: cutOrNull(commit.authorEmail)?.toLowerCase() ?? null,
        },
        committedAt: at,
        files,
      };
    });
}

/** Throws Invalid, naming the field. */
export function checkRefs(refs: readonly RefInput[]): readonly CheckedRef[] {
  if (refs.length > REFS_MAX) throw invalid(`Specify at most ${REFS_MAX} repositories at a time`, 'refs');
  return refs.map(({ repository, commit, previousCommit }) => {
    const range = commit.split('..');
    const newest = range.at(-1) ?? '';
    const previous = previousCommit || (range.length === 2 ? range[0] : null) || null;
    return {
      repository: checkRepositoryName(repository.trim()),
      commitKey: checkKey(newest, 'refs'),
      previousKey: previous === null ? null : checkKey(previous, 'refs'),
    };
  });
}

/** It becomes a part of addresses, out of which it may not lead. */
function checkKey(text: string, field: string): string {
  const key = text.trim();
  const fits = key.length <= KEY_CHARACTERS_MAX && /^[\w.-]+$/.test(key);
  if (fits && key !== '.' && !key.includes('..')) return key;
  throw invalid(
    `A commit ID must be a hash of 1 to ${KEY_CHARACTERS_MAX} letters, digits, dots, dashes, and underscores`,
    field,
  );
}

function readFiles(files: readonly { path: string; type: string }[]): readonly ChangedFile[] {
  const byPath = new Map<string, FileChange>();
  for (const { path, type } of files) {
    if (byPath.size >= FILES_PER_COMMIT_MAX) break;
    // A path that would be cut is none: no frame could name it.
    if (path === '' || path.length > PATH_CHARACTERS_MAX || byPath.has(path)) continue;
    // Renamed, copied or of another type: the file is there and other than it was.
    byPath.set(path, FILE_CHANGES.find((change) => change === type) ?? 'M');
  }
  return [...byPath].map(([path, change]) => ({ path, change }));
}

const cutOrNull = (text: string | null | undefined): string | null =>
  text?.trim().slice(0, AUTHOR_CHARACTERS_MAX) || null;
