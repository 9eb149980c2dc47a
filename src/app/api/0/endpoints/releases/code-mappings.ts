import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber, selectProject } from '#app/api/0/path-scope.ts';
import { PROJECTS, text } from '#app/api/0/query.ts';
import { Reply } from '#app/api/0/reply.ts';
import { each, FALSE, NULL, shapeOf } from '#app/api/0/shape.ts';
import { invalid } from '#lib/errors.ts';
import {
  type CodeMappingRow,
  deleteCodeMapping,
  listCodeMappings,
  MAPPINGS_PER_PROJECT_MAX,
  saveCodeMapping,
  saveCodeMappings,
  updateCodeMapping,
} from '#product/code-mappings/code-mappings.ts';
import { findSourceLink } from '#product/code-mappings/link-frames.ts';
import type { Context } from '#product/context.ts';

/** Source of the fields: Sentry's `code-mappings`. */
export const [CODE_MAPPING, serializeCodeMapping] = shapeOf<CodeMappingRow>()(
  {
    id: [z.string(), ({ mapping }) => String(mapping.id)],
    projectId: [z.string(), ({ project }) => String(project.id)],
    projectSlug: [z.string(), ({ project }) => project.slug],
    repoId: [z.string(), ({ repository }) => String(repository.id)],
    repoName: [z.string(), ({ repository }) => repository.name],
    ...each(NULL, 'integrationId', 'provider'),
    stackRoot: [z.string(), ({ mapping }) => mapping.stackRoot],
    sourceRoot: [z.string(), ({ mapping }) => mapping.sourceRoot],
    defaultBranch: [z.string(), ({ mapping }) => mapping.defaultBranch],
    automaticallyGenerated: FALSE,
  },
  'CodeMapping',
);

const BULK_BYTES_MAX = 1024 * 1024;
const TEXT = z.string().max(4_000);
const ID = z.union([z.string().regex(/^\d{1,15}$/), z.number().int().positive()]);

/** The project by `projectId` or `projectSlug`. */
const MAPPING = z.object({
  projectId: ID.optional(),
  projectSlug: TEXT.optional(),
  repositoryId: ID,
  ...each(TEXT, 'stackRoot', 'sourceRoot', 'defaultBranch'),
});

const BULK = z.object({
  project: TEXT,
  repository: TEXT,
  defaultBranch: TEXT.nullish(),
  mappings: z.array(z.object({ stackRoot: TEXT, sourceRoot: TEXT })).max(MAPPINGS_PER_PROJECT_MAX),
});

/** What most repositories call theirs. */
const BRANCH_DEFAULT = 'main';

const PROBLEMS = {
  no_mapping: 'no_code_mappings_for_project',
  no_mapping_fits: 'stack_root_mismatch',
  no_repository_address: 'repository_has_no_address',
} as const;

export const codeMappingOperations: readonly Operation[] = [
  get('organizations/[org]/code-mappings', {
    summary: 'Lists code mappings',
    scopes: ['project:read', 'project:releases', 'org:ci'],
    query: { ...PROJECTS },
    answer: z.array(CODE_MAPPING),
    handle: async ({ ctx, query }) =>
      (await listCodeMappings(ctx, query.projectSlugs)).map(serializeCodeMapping),
  }),

  post('organizations/[org]/code-mappings', {
    summary: 'Adds a code mapping, or updates the one with the same root',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: MAPPING,
    answer: CODE_MAPPING,
    status: 201,
    otherStatus: 200,
    async handle({ ctx, body }) {
      const { isNew, ...row } = await saveCodeMapping(ctx, await readMapping(ctx, body));
      return new Reply(serializeCodeMapping(row), { status: isNew ? 201 : 200 });
    },
  }),

  put('organizations/[org]/code-mappings/[mapping]', {
    summary: 'Updates a code mapping',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: MAPPING,
    answer: CODE_MAPPING,
    async handle({ ctx, params, body }) {
      const input = await readMapping(ctx, body);
      const row = await updateCodeMapping(ctx, { ...input, mappingId: readMappingId(params) });
      return serializeCodeMapping(row);
    },
  }),

  del('organizations/[org]/code-mappings/[mapping]', {
    summary: 'Removes a code mapping',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    answer: null,
    handle: async ({ ctx, params }) => deleteCodeMapping(ctx, readMappingId(params)),
  }),

  /** Source: src/api/data_types/code_mappings.rs of sentry-cli. */
  post('organizations/[org]/code-mappings/bulk', {
    summary: "Adds and updates a project's code mappings in bulk",
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: BULK,
    bodyBytesMax: BULK_BYTES_MAX,
    answer: z.object({
      ...each(z.number(), 'created', 'updated', 'errors'),
      mappings: z.array(z.object({ stackRoot: z.string(), sourceRoot: z.string(), status: z.string() })),
    }),
    async handle({ ctx, body }) {
      const project = await selectProject(ctx, body.project);
      const saved = await saveCodeMappings(ctx, {
        projectSlug: project.slug,
        repositoryName: body.repository,
        defaultBranch: body.defaultBranch || BRANCH_DEFAULT,
        mappings: body.mappings,
      });
      const created = saved.filter(({ isNew }) => isNew).length;
      return {
        created,
        updated: saved.length - created,
        errors: 0,
        mappings: saved.map(({ mapping, isNew }) => ({
          stackRoot: mapping.stackRoot,
          sourceRoot: mapping.sourceRoot,
          status: isNew ? 'created' : 'updated',
        })),
      };
    },
  }),

  /** Where a frame's file is in its repository. Source of the fields: Sentry's `stacktrace-link`. */
  get('projects/[org]/[project]/stacktrace-link', {
    summary: 'Retrieves the source link of a stack trace file',
    scopes: ['event:read'],
    query: {
      file: text('File path'),
      lineNo: text('Line number'),
      absPath: text('Absolute path reported by the SDK'),
      module: text('Frame module'),
      commitId: text('Commit that the release was built from'),
    },
    answer: z.object({
      integrations: z.array(z.unknown()),
      error: z
        .enum(['no_code_mappings_for_project', 'stack_root_mismatch', 'repository_has_no_address'])
        .optional(),
      config: CODE_MAPPING.nullable(),
      sourceUrl: z.string().nullable(),
    }),
    async handle({ ctx, project, query }) {
      const { file, lineNo: line } = query;
      if (!file) throw invalid("Specify the frame's file, such as ?file=src/cart.ts", 'file');
      const link = await findSourceLink(ctx, {
        projectSlug: project.slug,
        frame: {
          filename: file,
          abs_path: query.absPath,
          module: query.module,
          lineno: line !== null && /^\d{1,9}$/.test(line) ? Number(line) : null,
        },
        release: null,
        commit: query.commitId || null,
      });
      return {
        config: link.mapping && serializeCodeMapping(link.mapping),
        sourceUrl: link.url,
        ...(link.problem !== null && { error: PROBLEMS[link.problem] }),
        integrations: [],
      };
    },
  }),
];

async function readMapping(
  ctx: Context,
  { projectId, projectSlug, repositoryId, ...roots }: z.infer<typeof MAPPING>,
) {
  const named = projectSlug ?? projectId;
  if (named === undefined)
    throw invalid('Specify the project with "projectSlug" or "projectId"', 'projectId');
  const project = await selectProject(ctx, String(named));
  return { ...roots, projectSlug: project.slug, repositoryId: Number(repositoryId) };
}

const readMappingId = ({ mapping }: { mapping: string }): number =>
  readPathNumber(mapping, `Code mapping "${mapping.slice(0, 40)}" not found`);
