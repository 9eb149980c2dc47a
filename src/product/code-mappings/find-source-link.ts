import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { findHeads, findMappings, type LinkedFrame, linkPath } from './link-frames.ts';
import type { CodeMappingRow } from './list-code-mappings.ts';
import { pathsOf } from './map-path.ts';

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
  if (!project) throw new Error(`The project ${input.projectSlug} is neither there nor missing`);
  if (input.commit !== null && !/^[\w.-]{1,64}$/.test(input.commit)) {
    throw invalid('A commit is named with letters, digits, "_", "-" and "."', 'commitId');
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
