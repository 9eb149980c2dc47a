import type { Project } from '#domain/projects.ts';
import { conflict, invalid, notFound } from '#lib/errors.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireReleaseRead, requireReleaseWrite } from '#product/permissions.ts';
import {
  checkRepositoryName,
  ensureRepositories,
  getRepository,
} from '#product/repositories/repositories.ts';
import type { Repository } from '#product/repositories/repository.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { CodeMapping, CodeMappingDraft } from './code-mapping-store.ts';

export type CodeMappingRow = { mapping: CodeMapping; project: Project; repository: Repository };

/** Of the projects, of every visible one for none; by project, then by root. Throws NotFound. */
export async function listCodeMappings(
  ctx: Context,
  projectSlugs: readonly string[],
): Promise<readonly CodeMappingRow[]> {
  requireReleaseRead(ctx);
  const projects = await selectProjects(ctx, projectSlugs);
  const mappings = await ctx.stores.codeMappings.list(
    ctx.organization.id,
    projects.map(({ id }) => id),
  );
  return completeMappings(ctx, mappings, projects);
}

/** With what they name; what names something that is gone meanwhile is left out. */
export async function completeMappings(
  ctx: Context,
  mappings: readonly CodeMapping[],
  projects: readonly Project[],
): Promise<readonly CodeMappingRow[]> {
  const ids = [...new Set(mappings.map(({ repositoryId }) => repositoryId))];
  const repositories = await ctx.stores.repositories.findByIds(ctx.organization.id, ids);
  return mappings.flatMap((mapping) => {
    const project = projects.find(({ id }) => id === mapping.projectId);
    const repository = repositories.find(({ id }) => id === mapping.repositoryId);
    return project && repository ? [{ mapping, project, repository }] : [];
  });
}

/** Throws NotFound, also for one of a project that is not visible. */
export async function findVisibleMapping(ctx: Context, mappingId: number): Promise<CodeMapping> {
  const [mapping, projects] = await Promise.all([
    ctx.stores.codeMappings.find(ctx.organization.id, mappingId),
    selectProjects(ctx, []),
  ]);
  if (mapping && projects.some(({ id }) => id === mapping.projectId)) return mapping;
  throw notFound(
    `Code mapping not found in ${ctx.organization.slug}: it may have been deleted, reload the list`,
  );
}

/** Of one project, and of one request: as many as sentry-cli sends at once. */
export const MAPPINGS_PER_PROJECT_MAX = 300;
const ROOT_CHARACTERS_MAX = 500;
const BRANCH_CHARACTERS_MAX = 200;

export type CodeMappingInput = {
  projectSlug: string;
  repositoryId: number;
  stackRoot: string;
  sourceRoot: string;
  defaultBranch: string;
};

/** One of the same project and root is changed instead. Throws Invalid and NotFound. */
export async function saveCodeMapping(
  ctx: Context,
  input: CodeMappingInput,
): Promise<CodeMappingRow & { isNew: boolean }> {
  requireReleaseWrite(ctx);
  const { draft, complete } = await checkMapping(ctx, input);
  const known = await ctx.stores.codeMappings.list(ctx.organization.id, [draft.projectId]);
  const isKnown = known.some(({ stackRoot }) => stackRoot === draft.stackRoot);
  if (!isKnown && known.length >= MAPPINGS_PER_PROJECT_MAX) {
    throw invalid(
      `A project can have at most ${MAPPINGS_PER_PROJECT_MAX} code mappings: delete some first`,
      'stackRoot',
    );
  }
  const saved = await audited(
    ctx,
    async (ctx) => {
      const row = await ctx.stores.codeMappings.save(ctx.organization.id, draft, ctx.now());
      if (!row) throw conflict('The project or the repository was deleted in the meantime: reload the page');
      return row;
    },
    ({ mapping, isNew }) => ({
      action: isNew ? 'code-mapping.add' : 'code-mapping.edit',
      target: mappingTarget(mapping),
      data: draft,
    }),
  );
  return { ...(await complete(saved.mapping)), isNew: saved.isNew };
}

/** Several of one project and repository, which is created when it is unknown. Throws Invalid and NotFound. */
export async function saveCodeMappings(
  ctx: Context,
  input: Pick<CodeMappingInput, 'projectSlug' | 'defaultBranch'> & {
    repositoryName: string;
    mappings: readonly Pick<CodeMappingInput, 'stackRoot' | 'sourceRoot'>[];
  },
): Promise<readonly (CodeMappingRow & { isNew: boolean })[]> {
  requireReleaseWrite(ctx);
  const { projectSlug, defaultBranch, mappings } = input;
  const [project] = await selectProjects(ctx, [projectSlug]);
  if (mappings.length === 0 || mappings.length > MAPPINGS_PER_PROJECT_MAX || !project) {
    throw invalid(`Send 1 to ${MAPPINGS_PER_PROJECT_MAX} code mappings at a time`, 'mappings');
  }
  const name = checkRepositoryName(input.repositoryName.trim());
  const repositoryId = (await ensureRepositories(ctx, [name])).get(name);
  if (repositoryId === undefined) throw new Error(`Repository ${name} was neither found nor created`);
  const saved: (CodeMappingRow & { isNew: boolean })[] = [];
  for (const { stackRoot, sourceRoot } of mappings) {
    saved.push(
      await saveCodeMapping(ctx, { projectSlug, repositoryId, stackRoot, sourceRoot, defaultBranch }),
    );
  }
  return saved;
}

/** Throws Invalid, NotFound, and Conflict when the project has another one with the root. */
export async function updateCodeMapping(
  ctx: Context,
  input: CodeMappingInput & { mappingId: number },
): Promise<CodeMappingRow> {
  requireReleaseWrite(ctx);
  await findVisibleMapping(ctx, input.mappingId);
  const { draft, complete } = await checkMapping(ctx, input);
  const updated = await audited(
    ctx,
    async (ctx) => {
      const row = await ctx.stores.codeMappings.update(ctx.organization.id, input.mappingId, draft);
      if (!row) throw conflict('The code mapping was deleted in the meantime: reload the page');
      return row;
    },
    (mapping) => ({ action: 'code-mapping.edit', target: mappingTarget(mapping), data: draft }),
  );
  return complete(updated);
}

/** Throws NotFound. */
export async function deleteCodeMapping(ctx: Context, mappingId: number): Promise<void> {
  requireReleaseWrite(ctx);
  const mapping = await findVisibleMapping(ctx, mappingId);
  await audited(
    ctx,
    (ctx) => ctx.stores.codeMappings.delete(ctx.organization.id, mappingId),
    (isDeleted) => (isDeleted ? { action: 'code-mapping.remove', target: mappingTarget(mapping) } : null),
  );
}

async function checkMapping(
  ctx: Context,
  input: CodeMappingInput,
): Promise<{ draft: CodeMappingDraft; complete: (mapping: CodeMapping) => Promise<CodeMappingRow> }> {
  const stackRoot = checkRoot(input.stackRoot, 'stackRoot');
  const sourceRoot = checkRoot(input.sourceRoot, 'sourceRoot');
  if (sourceRoot.split('/').includes('..')) {
    throw invalid('A path cannot leave the repository: remove ".."', 'sourceRoot');
  }
  const [projects, repository] = await Promise.all([
    selectProjects(ctx, [input.projectSlug]),
    getRepository(ctx, input.repositoryId),
  ]);
  const [project] = projects;
  if (!project) throw new Error(`Project ${input.projectSlug} was expected but not loaded`);
  return {
    draft: {
      projectId: project.id,
      repositoryId: repository.id,
      stackRoot,
      sourceRoot,
      defaultBranch: checkBranch(input.defaultBranch),
    },
    complete: async (mapping) => {
      const [row] = await completeMappings(ctx, [mapping], projects);
      if (!row) throw conflict('The repository was deleted in the meantime: reload the page');
      return row;
    },
  };
}

function checkRoot(text: string, field: string): string {
  const root = text.trim();
  if (root.length <= ROOT_CHARACTERS_MAX && !/\p{Cc}/u.test(root)) return root;
  throw invalid(
    `"${field}" must be a path of at most ${ROOT_CHARACTERS_MAX} characters, such as src/`,
    field,
  );
}

/** Source of the rules: git-check-ref-format, as far as they matter in an address. */
function checkBranch(text: string): string {
  const branch = text.trim();
  const fits = branch !== '' && branch.length <= BRANCH_CHARACTERS_MAX;
  if (fits && !/[\p{Cc}\s~^:?*[\\]|\.\.|^[/-]|\/$/u.test(branch)) return branch;
  throw invalid(
    `"defaultBranch" must be a branch name of at most ${BRANCH_CHARACTERS_MAX} characters, such as main`,
    'defaultBranch',
  );
}

const mappingTarget = ({ id, stackRoot, sourceRoot }: CodeMapping): AuditedChange['target'] => ({
  kind: 'code_mapping',
  id,
  name: `${stackRoot || '(empty)'} → ${sourceRoot || '(empty)'}`,
});
