import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { ASSEMBLY, DEOBFUSCATION_FILE } from '#app/api/0/schemas/artifact.ts';
import { serializeDeobfuscationFile } from '#app/api/0/serializers/serialize-artifact.ts';
import { invalid } from '#lib/errors.ts';
import { assembleBundle } from '#product/artifacts/assemble-bundle.ts';
import { assembleDeobfuscation } from '#product/artifacts/assemble-deobfuscation.ts';
import type { Context } from '#product/context.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';
import { readVersion, type VersionParams } from './release-path.ts';

const BODY_BYTES_MAX = 1024 * 1024;
const CHUNKS_MAX = 4_096;
const PROJECTS_MAX = 200;
const FILES_MAX = 200;

const CHECKSUM = z.string().regex(/^[0-9a-f]{40}$/, 'must be a SHA-1 in lower-case hex');
const CHUNKS = z.array(CHECKSUM).max(CHUNKS_MAX);

const BUNDLE = z.object({
  checksum: CHECKSUM,
  chunks: CHUNKS,
  projects: z
    .array(z.union([z.string(), z.number()]))
    .max(PROJECTS_MAX)
    .default([]),
  version: z.string().nullish(),
  dist: z.string().nullish(),
});

const ASSEMBLE_BUNDLE = {
  summary: 'Makes an upload of parts that were sent',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: BUNDLE,
  answer: ASSEMBLY,
} satisfies Operation;

/** Source: src/api/data_types/chunking/artifact.rs of sentry-cli, which asks until the state is `ok` or `error`. */
export const assembleBundleEndpoint = declare<OrganizationParams>(ASSEMBLE_BUNDLE, async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const { checksum, chunks, projects, version, dist } = await readJsonBody(
    call.request,
    BUNDLE,
    BODY_BYTES_MAX,
  );
  if (projects.length === 0) throw invalid('Name the projects that the files are for', 'projects');
  const projectSlugs = await findSlugs(ctx, projects.map(String));
  const body = await assembleBundle(ctx, {
    checksum,
    chunks,
    projectSlugs,
    version: version || null,
    dist: dist || null,
  });
  return { body };
});

const RELEASE_BUNDLE = BUNDLE.pick({ checksum: true, chunks: true });

const ASSEMBLE_RELEASE_BUNDLE = {
  summary: 'Makes an upload of a release of parts that were sent',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: RELEASE_BUNDLE,
  answer: ASSEMBLY,
} satisfies Operation;

/** The older form, for all projects of the release. */
export const assembleReleaseBundleEndpoint = declare<OrganizationParams & VersionParams>(
  ASSEMBLE_RELEASE_BUNDLE,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    const { checksum, chunks } = await readJsonBody(call.request, RELEASE_BUNDLE, BODY_BYTES_MAX);
    const version = readVersion(call.params);
    const body = await assembleBundle(ctx, { checksum, chunks, projectSlugs: [], version, dist: null });
    return { body };
  },
);

const DEBUG_FILES = z.record(
  CHECKSUM,
  z.object({ name: z.string().max(1_000), debug_id: z.string().max(100).nullish(), chunks: CHUNKS }),
);

const ASSEMBLE_DEBUG_FILES = {
  summary: 'Makes mappings of parts that were sent',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: DEBUG_FILES,
  answer: z.record(z.string(), ASSEMBLY.extend({ dif: DEOBFUSCATION_FILE.nullable() })),
} satisfies Operation;

/** Source: src/api/data_types/chunking/dif.rs of sentry-cli. The answer has one state for each file. */
export const assembleDebugFilesEndpoint = declare<ProjectParams>(
  ASSEMBLE_DEBUG_FILES,
  async ({ caller, params, request }) => {
    const { ctx, project } = await findProject(caller, params);
    const asked = Object.entries(await readJsonBody(request, DEBUG_FILES, BODY_BYTES_MAX));
    if (asked.length > FILES_MAX) throw invalid(`Ask for at most ${FILES_MAX} files at once`);
    const answers = await assembleDeobfuscation(ctx, {
      projectSlug: project.slug,
      files: asked.map(([checksum, { name, debug_id, chunks }]) => ({
        checksum,
        name,
        debugId: debug_id ?? null,
        chunks,
      })),
    });
    return {
      body: Object.fromEntries(
        [...answers].map(([checksum, { file, ...answer }]) => [
          checksum,
          { ...answer, dif: file && serializeDeobfuscationFile(file) },
        ]),
      ),
    };
  },
);

/** The client takes "not found" for a release that is missing, so a project that is not there is a wrong value. */
async function findSlugs(ctx: Context, names: readonly string[]): Promise<string[]> {
  const visible = await listVisibleProjects(ctx);
  return names.map((name) => {
    const project = visible.find(({ slug, id }) => slug === name || String(id) === name);
    if (!project) {
      throw invalid(
        `The organization ${ctx.organization.slug} has no project "${name.slice(0, 80)}": check the slug`,
        'projects',
      );
    }
    return project.slug;
  });
}
