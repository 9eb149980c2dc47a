import { commonEnd, plainPath } from '#product/code-mappings/map-path.ts';
import type { Commit, TouchingCommit } from '#product/commits/commit.ts';

/** A frame's file, in the words of the event and, where a code mapping fits, of the repository. */
export type SuspectFile = {
  /** How the frame names it, best first. */
  paths: readonly string[];
  mapped: { repositoryId: number; path: string } | null;
};

export type RankedCommit = {
  commit: Commit;
  releaseId: number;
  /** As the repository names them, the one nearest to where it happened first. */
  files: readonly string[];
  /** Of the nearest frame: 0 is where it happened. */
  frame: number;
};

/**
 * Commits that changed a file of the frames, innermost frame first: the one that changed the innermost comes first, of
 * several the newest. A frame's file is the one that its code mapping names, else the one with the most folders in
 * common.
 */
export function rankCommits(
  files: readonly SuspectFile[],
  touching: readonly TouchingCommit[],
): readonly RankedCommit[] {
  const ranked = new Map<number, { touch: TouchingCommit; files: string[]; frame: number }>();
  const byName = byFileName(touching);
  files.forEach((file, frame) => {
    for (const touch of touchesOf(file, byName)) {
      const known = ranked.get(touch.commit.id);
      if (!known) ranked.set(touch.commit.id, { touch, files: [touch.path], frame });
      else if (!known.files.includes(touch.path)) known.files.push(touch.path);
    }
  });
  return [...ranked.values()]
    .sort((a, b) => a.frame - b.frame || b.touch.commit.committedAt - a.touch.commit.committedAt)
    .map(({ touch, files: changed, frame }) => ({
      commit: touch.commit,
      releaseId: touch.releaseId,
      files: changed,
      frame,
    }));
}

/** By the last part of their paths: others have nothing in common. */
function byFileName(touching: readonly TouchingCommit[]): ReadonlyMap<string, readonly TouchingCommit[]> {
  const found = new Map<string, TouchingCommit[]>();
  for (const touch of touching) {
    const name = fileName(touch.path);
    const known = found.get(name);
    if (known) known.push(touch);
    else found.set(name, [touch]);
  }
  return found;
}

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function touchesOf(
  { paths, mapped }: SuspectFile,
  touching: ReadonlyMap<string, readonly TouchingCommit[]>,
): readonly TouchingCommit[] {
  const exact = (touching.get(fileName(mapped?.path ?? '')) ?? []).filter(
    ({ commit, path }) => commit.repositoryId === mapped?.repositoryId && path === mapped.path,
  );
  if (exact.length > 0) return exact;
  const scored = paths
    .map(plainPath)
    .flatMap((path) =>
      (touching.get(fileName(path)) ?? []).map((touch) => ({ touch, score: scoreOf(path, touch.path) })),
    );
  const best = Math.max(1, ...scored.map(({ score }) => score));
  return [...new Set(scored.filter(({ score }) => score === best).map(({ touch }) => touch))];
}

/** 0 when the names alone are the same: too many files are called `index.ts`. */
function scoreOf(framePath: string, changedPath: string): number {
  const score = commonEnd(framePath, changedPath);
  return score > 1 || framePath === changedPath ? score : 0;
}
