import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { fileUrl } from '#product/repositories/repository-links.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import type { Frame } from '#protocol/event.ts';
import { type CodeMappingRow, completeMappings } from './code-mappings.ts';
import { mapPath, pathsOf } from './map-path.ts';

export type LinkedFrame = Pick<Frame, 'filename' | 'abs_path' | 'module' | 'lineno'>;

/**
 * The page of each frame's line in its repository, at the commit that the release ends with, else on the branch of the
 * code mapping; null where no mapping fits. Asks the stores once for all frames.
 */
export async function linkFrames(
  ctx: Context,
  input: {
    projectId: number;
    /** null when the event names none. */
    release: string | null;
    frames: readonly LinkedFrame[];
  },
): Promise<readonly (string | null)[]> {
  requireRight(ctx, 'event:read');
  const mappings = await findMappings(ctx, input.projectId);
  if (mappings.length === 0) return input.frames.map(() => null);
  const heads = await findHeads(ctx, input.projectId, input.release);
  return input.frames.map(
    (frame) => linkPath(mappings, heads, pathsOf(frame), frame.lineno ?? null)?.url ?? null,
  );
}

/** Of a visible project; none for others. */
export async function findMappings(ctx: Context, projectId: number): Promise<readonly CodeMappingRow[]> {
  const projects = (await listVisibleProjects(ctx)).filter(({ id }) => id === projectId);
  if (projects.length === 0) return [];
  const mappings = await ctx.stores.codeMappings.list(ctx.organization.id, [projectId]);
  return completeMappings(ctx, mappings, projects);
}

/** The commit that the release ends with, by repository. */
export async function findHeads(
  ctx: Context,
  projectId: number,
  version: string | null,
): Promise<ReadonlyMap<number, string>> {
  if (version === null) return new Map();
  const release = await ctx.stores.releases.findRelease(ctx.organization.id, [projectId], version);
  if (!release) return new Map();
  const heads = await ctx.stores.commits.listHeads(ctx.organization.id, release.id);
  return new Map(heads.map(({ repositoryId, commitKey }) => [repositoryId, commitKey]));
}

/** null when no mapping fits; `url` null when the repository's address is not known. */
export function linkPath(
  mappings: readonly CodeMappingRow[],
  heads: ReadonlyMap<number, string>,
  paths: readonly string[],
  line: number | null,
): { row: CodeMappingRow; path: string; url: string | null } | null {
  const rows = mappings.map((row) => ({ ...row.mapping, row }));
  const mapped = mapPath(rows, paths);
  if (!mapped) return null;
  const { row } = mapped.mapping;
  const head = heads.get(row.repository.id);
  const ref =
    head === undefined
      ? ({ kind: 'branch', name: row.mapping.defaultBranch } as const)
      : ({ kind: 'commit', name: head } as const);
  return { row, path: mapped.path, url: fileUrl(row.repository, ref, mapped.path, line) };
}

/** Where a frame's file is, and why not when it is nowhere. */
export type SourceLink = {
  /** null when none fits. */
  mapping: CodeMappingRow | null;
  /** null when none fits, or the repository's address is not known. */
  url: string | null;
  problem: 'no_mapping' | 'no_mapping_fits' | 'no_repository_address' | null;
};

/** Of one frame. `commit` is the one to link to in place of the release's. Throws NotFound and Invalid. */
export async function findSourceLink(
  ctx: Context,
  input: { projectSlug: string; frame: LinkedFrame; release: string | null; commit: string | null },
): Promise<SourceLink> {
  requireRight(ctx, 'event:read');
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw new Error(`Project ${input.projectSlug} was expected but not loaded`);
  if (input.commit !== null && !/^[\w.-]{1,64}$/.test(input.commit)) {
    throw invalid('A commit hash can contain only letters, digits, "_", "-", and "."', 'commitId');
  }
  const mappings = await findMappings(ctx, project.id);
  if (mappings.length === 0) return { mapping: null, url: null, problem: 'no_mapping' };
  const heads =
    input.commit === null
      ? await findHeads(ctx, project.id, input.release)
      : new Map(mappings.map(({ repository }) => [repository.id, input.commit ?? '']));
  const linked = linkPath(mappings, heads, pathsOf(input.frame), input.frame.lineno ?? null);
  if (!linked) return { mapping: null, url: null, problem: 'no_mapping_fits' };
  return {
    mapping: linked.row,
    url: linked.url,
    problem: linked.url === null ? 'no_repository_address' : null,
  };
}
