import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PROJECTS } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { CODE_MAPPING } from '#app/api/0/schemas/code-mapping.ts';
import { serializeCodeMapping } from '#app/api/0/serializers/serialize-code-mapping.ts';
import { invalid, notFound } from '#lib/errors.ts';
import {
  deleteCodeMapping,
  listCodeMappings,
  MAPPINGS_PER_PROJECT_MAX,
  saveCodeMapping,
  saveCodeMappings,
  updateCodeMapping,
} from '#product/code-mappings/code-mappings.ts';
import { findSourceLink } from '#product/code-mappings/link-frames.ts';
import { findProject, type ProjectParams, selectProject } from './find-project.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';

type MappingParams = OrganizationParams & { mapping: string };

const BULK_BYTES_MAX = 1024 * 1024;
const text = z.string().max(4_000);
const id = z.union([z.string().regex(/^\d{1,15}$/), z.number().int().positive()]);

/** The project by `projectId` or `projectSlug`. */
const MAPPING = z.object({
  projectId: id.optional(),
  projectSlug: text.optional(),
  repositoryId: id,
  stackRoot: text,
  sourceRoot: text,
  defaultBranch: text,
});

const BULK = z.object({
  project: text,
  repository: text,
  defaultBranch: text.nullish(),
  mappings: z.array(z.object({ stackRoot: text, sourceRoot: text })).max(MAPPINGS_PER_PROJECT_MAX),
});

/** What most repositories call theirs. */
const BRANCH_DEFAULT = 'main';

const LIST_CODE_MAPPINGS = {
  summary: 'Lists code mappings',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  query: { ...PROJECTS },
  answer: z.array(CODE_MAPPING),
} satisfies Operation;

export const listCodeMappingsEndpoint = declare<OrganizationParams>(
  LIST_CODE_MAPPINGS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const rows = await listCodeMappings(ctx, await readProjects(url, ctx));
    return { body: rows.map(serializeCodeMapping) };
  },
);

const SAVE_CODE_MAPPING = {
  summary: 'Adds a code mapping, or changes the one of the same root',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: MAPPING,
  answer: CODE_MAPPING,
  status: 201,
  otherStatus: 200,
} satisfies Operation;

export const saveCodeMappingEndpoint = declare<OrganizationParams>(SAVE_CODE_MAPPING, async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const { isNew, ...row } = await saveCodeMapping(ctx, await readMapping(call));
  return { body: serializeCodeMapping(row), status: isNew ? 201 : 200 };
});

const UPDATE_CODE_MAPPING = {
  summary: 'Changes a code mapping',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: MAPPING,
  answer: CODE_MAPPING,
} satisfies Operation;

export const updateCodeMappingEndpoint = declare<MappingParams>(UPDATE_CODE_MAPPING, async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const input = await readMapping(call);
  const row = await updateCodeMapping(ctx, { ...input, mappingId: readMappingId(call.params) });
  return { body: serializeCodeMapping(row) };
});

const DELETE_CODE_MAPPING = {
  summary: 'Removes a code mapping',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  answer: null,
} satisfies Operation;

export const deleteCodeMappingEndpoint = declare<MappingParams>(
  DELETE_CODE_MAPPING,
  async ({ caller, params }) => {
    await deleteCodeMapping(contextOf(caller, params.org), readMappingId(params));
    return { body: null, status: 204 };
  },
);

const BULK_CODE_MAPPINGS = {
  summary: 'Adds and changes many code mappings of a project',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: BULK,
  answer: z.object({
    created: z.number(),
    updated: z.number(),
    errors: z.number(),
    mappings: z.array(z.object({ stackRoot: z.string(), sourceRoot: z.string(), status: z.string() })),
  }),
} satisfies Operation;

/** Source: src/api/data_types/code_mappings.rs of sentry-cli. */
export const bulkCodeMappingsEndpoint = declare<OrganizationParams>(BULK_CODE_MAPPINGS, async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const body = await readJsonBody(call.request, BULK, BULK_BYTES_MAX);
  const project = await selectProject(ctx, body.project);
  const saved = await saveCodeMappings(ctx, {
    projectSlug: project.slug,
    repositoryName: body.repository,
    defaultBranch: body.defaultBranch || BRANCH_DEFAULT,
    mappings: body.mappings,
  });
  const created = saved.filter(({ isNew }) => isNew).length;
  return {
    body: {
      created,
      updated: saved.length - created,
      errors: 0,
      mappings: saved.map(({ mapping, isNew }) => ({
        stackRoot: mapping.stackRoot,
        sourceRoot: mapping.sourceRoot,
        status: isNew ? 'created' : 'updated',
      })),
    },
  };
});

const STACKTRACE_LINK = {
  summary: 'Answers where a file of a stack trace is',
  scopes: ['event:read'],
  query: {
    file: z.string().describe('The path of a file'),
    lineNo: z.string().describe('The number of a line'),
    absPath: z.string().describe('The path as the program had it'),
    module: z.string().describe('The module of a frame'),
    commitId: z.string().describe('The commit that the release was built from'),
  },
  answer: z.object({
    integrations: z.array(z.unknown()),
    error: z
      .enum(['no_code_mappings_for_project', 'stack_root_mismatch', 'repository_has_no_address'])
      .optional(),
    config: CODE_MAPPING.nullable(),
    sourceUrl: z.string().nullable(),
  }),
} satisfies Operation;

/** Where a frame's file is in its repository. Source of the fields: Sentry's `stacktrace-link`. */
export const stacktraceLinkEndpoint = declare<ProjectParams>(
  STACKTRACE_LINK,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    const file = url.searchParams.get('file');
    if (!file) throw invalid('Name the file of the frame: ?file=src/cart.ts', 'file');
    const line = url.searchParams.get('lineNo');
    const link = await findSourceLink(ctx, {
      projectSlug: project.slug,
      frame: {
        filename: file,
        abs_path: url.searchParams.get('absPath'),
        module: url.searchParams.get('module'),
        lineno: line !== null && /^\d{1,9}$/.test(line) ? Number(line) : null,
      },
      release: null,
      commit: url.searchParams.get('commitId') || null,
    });
    return {
      body: {
        config: link.mapping && serializeCodeMapping(link.mapping),
        sourceUrl: link.url,
        ...(link.problem !== null && { error: PROBLEMS[link.problem] }),
        integrations: [],
      },
    };
  },
);

const PROBLEMS = {
  no_mapping: 'no_code_mappings_for_project',
  no_mapping_fits: 'stack_root_mismatch',
  no_repository_address: 'repository_has_no_address',
} as const;

async function readMapping(call: Parameters<typeof saveCodeMappingEndpoint>[0]) {
  const ctx = contextOf(call.caller, call.params.org);
  const { projectId, projectSlug, repositoryId, ...roots } = await readJsonBody(call.request, MAPPING);
  const named = projectSlug ?? projectId;
  if (named === undefined) throw invalid('Name the project: "projectSlug", or "projectId"', 'projectId');
  const project = await selectProject(ctx, String(named));
  return { ...roots, projectSlug: project.slug, repositoryId: Number(repositoryId) };
}

function readMappingId({ mapping }: MappingParams): number {
  if (/^\d{1,15}$/.test(mapping)) return Number(mapping);
  throw notFound(`There is no code mapping "${mapping.slice(0, 40)}"`);
}
