import { z } from 'zod';
import {
  ASSEMBLY,
  DEOBFUSCATION_FILE,
  serializeDeobfuscationFile,
} from '#app/api/0/endpoints/uploads/artifact-shapes.ts';
import { type Operation, post } from '#app/api/0/operation.ts';
import { invalid } from '#lib/errors.ts';
import { assembleBundle } from '#product/artifacts/assemble-bundle.ts';
import { assembleDeobfuscation } from '#product/artifacts/assemble-deobfuscation.ts';
import type { Context } from '#product/context.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

const BODY_BYTES_MAX = 1024 * 1024;
const CHUNKS_MAX = 4_096;
const PROJECTS_MAX = 200;
const FILES_MAX = 200;
const CHECKSUM = z.string().regex(/^[0-9a-f]{40}$/, 'must be a SHA-1 in lowercase hex');
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

const RELEASE_BUNDLE = BUNDLE.pick({ checksum: true, chunks: true });

const DEBUG_FILES = z.record(
  CHECKSUM,
  z.object({ name: z.string().max(1_000), debug_id: z.string().max(100).nullish(), chunks: CHUNKS }),
);

export const assemblyOperations: readonly Operation[] = [
  /** Source: src/api/data_types/chunking/artifact.rs of sentry-cli, which asks until the state is `ok` or `error`. */
  post('organizations/[org]/artifactbundle/assemble', {
    summary: 'Assembles an upload from uploaded chunks',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: BUNDLE,
    bodyBytesMax: BODY_BYTES_MAX,
    answer: ASSEMBLY,
    async handle({ ctx, body }) {
      const { checksum, chunks, projects, version, dist } = body;
      if (projects.length === 0) throw invalid('Specify the projects that the files are for', 'projects');
      const projectSlugs = await findSlugs(ctx, projects.map(String));
      return assembleBundle(ctx, {
        checksum,
        chunks,
        projectSlugs,
        version: version || null,
        dist: dist || null,
      });
    },
  }),

  /** The older form, for all projects of the release. */
  post('organizations/[org]/releases/[version]/assemble', {
    summary: 'Assembles a release upload from uploaded chunks',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: RELEASE_BUNDLE,
    bodyBytesMax: BODY_BYTES_MAX,
    answer: ASSEMBLY,
    async handle({ ctx, params, body }) {
      const { checksum, chunks } = body;
      const { version } = params;
      return assembleBundle(ctx, { checksum, chunks, projectSlugs: [], version, dist: null });
    },
  }),

  /** Source: src/api/data_types/chunking/dif.rs of sentry-cli. The answer has one state for each file. */
  post('projects/[org]/[project]/files/difs/assemble', {
    summary: 'Assembles mappings and symbol files from uploaded chunks',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: DEBUG_FILES,
    bodyBytesMax: BODY_BYTES_MAX,
    answer: z.record(z.string(), ASSEMBLY.extend({ dif: DEOBFUSCATION_FILE.nullable() })),
    async handle({ ctx, project, body }) {
      const requested = Object.entries(body);
      if (requested.length > FILES_MAX) throw invalid(`Request at most ${FILES_MAX} files at a time`);
      const answers = await assembleDeobfuscation(ctx, {
        projectSlug: project.slug,
        files: requested.map(([checksum, { name, debug_id, chunks }]) => ({
          checksum,
          name,
          debugId: debug_id ?? null,
          chunks,
        })),
      });
      return Object.fromEntries(
        [...answers].map(([checksum, { file, ...answer }]) => [
          checksum,
          { ...answer, dif: file && serializeDeobfuscationFile(file) },
        ]),
      );
    },
  }),
];

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
