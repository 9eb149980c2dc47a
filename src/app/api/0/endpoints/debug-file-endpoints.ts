import { z } from 'zod';
import { answerDownload } from '#app/api/0/answer-download.ts';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, WORDS } from '#app/api/0/parameters.ts';
import { readForm } from '#app/api/0/read-form.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { DEOBFUSCATION_FILE } from '#app/api/0/schemas/artifact.ts';
import { serializeDeobfuscationFile } from '#app/api/0/serializers/serialize-artifact.ts';
import { invalid, notFound } from '#lib/errors.ts';
import type { DeobfuscationFile } from '#product/artifacts/artifact.ts';
import {
  deleteDeobfuscationFile,
  listDeobfuscationFiles,
  openDeobfuscationFile,
} from '#product/artifacts/deobfuscation-files.ts';
import { saveDeobfuscationArchive } from '#product/artifacts/save-mapping.ts';
import { MAPPING_ARCHIVE_BYTES_MAX } from '#product/artifacts/upload-limits.ts';
import { UPLOAD_RIGHTS } from '#product/artifacts/upload-projects.ts';
import { requireOneOf } from '#product/permissions.ts';
import { findProject, type ProjectParams } from './find-project.ts';

const LIST_DEBUG_FILES = {
  summary: 'Lists mappings, or answers one with "download"',
  scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
  query: {
    ...PAGE,
    id: z.string().describe('The number of a mapping, for its content'),
    debug_id: z.string().describe('A debug id'),
    ...WORDS,
  },
  answer: z.array(DEOBFUSCATION_FILE),
  isPaged: true,
} satisfies Operation;

/**
 * Mappings of ProGuard and R8, which Sentry keeps with other debug information; with `?id=` the content of one.
 * Source: https://docs.sentry.io/api/projects/list-a-projects-debug-information-files/
 */
export const listDebugFilesEndpoint = declare<ProjectParams>(
  LIST_DEBUG_FILES,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    const projectSlug = project.slug;
    if (url.searchParams.has('id')) {
      const opened = await openDeobfuscationFile(ctx, { projectSlug, fileId: readFileId(url) });
      return answerDownload(opened, { name: `${opened.file.debugId}.txt`, contentType: 'text/plain' });
    }
    const search = url.searchParams.get('debug_id') ?? url.searchParams.get('query') ?? '';
    const limit = readLimit(url);
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { files, nextCursor } = await listDeobfuscationFiles(ctx, { projectSlug, search, limit, cursor });
      return { rows: files.map(serializeDeobfuscationFile), nextCursor };
    });
  },
);

const UPLOAD_DEBUG_FILES = {
  summary: 'Takes an archive of mappings',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: 'form',
  answer: z.array(DEOBFUSCATION_FILE),
  status: 201,
} satisfies Operation;

/** A zip archive as the part `file`. Source: https://docs.sentry.io/api/projects/upload-a-new-file/ */
export const uploadDebugFilesEndpoint = declare<ProjectParams>(
  UPLOAD_DEBUG_FILES,
  async ({ caller, params, request }) => {
    const { ctx, project } = await findProject(caller, params);
    requireOneOf(ctx, UPLOAD_RIGHTS);
    const upload: { files: readonly DeobfuscationFile[] | null } = { files: null };
    await readForm(
      request,
      { bytesMax: MAPPING_ARCHIVE_BYTES_MAX, filesMax: 1 },
      {
        async onFile({ stream }) {
          upload.files = await saveDeobfuscationArchive(ctx, { projectSlug: project.slug, body: stream });
        },
        onField() {},
      },
    );
    if (upload.files === null) {
      throw invalid('The form holds no file: send the archive as its part "file"', 'file');
    }
    return { body: upload.files.map(serializeDeobfuscationFile), status: 201 };
  },
);

const DELETE_DEBUG_FILE = {
  summary: 'Deletes a mapping',
  scopes: ['project:write'],
  query: { id: z.string().describe('The number of the mapping') },
  answer: null,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/delete-a-specific-projects-debug-information-file/ */
export const deleteDebugFileEndpoint = declare<ProjectParams>(
  DELETE_DEBUG_FILE,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    await deleteDeobfuscationFile(ctx, { projectSlug: project.slug, fileId: readFileId(url) });
    return { body: null, status: 204 };
  },
);

const ASSOCIATE_DEBUG_FILES = {
  summary: 'Answers which of the named mappings there are',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  answer: z.object({ associatedDsymFiles: z.array(z.unknown()) }),
} satisfies Operation;

/** Older clients ask for it. Debug information belongs to no release, at Sentry neither. */
export const associateDebugFilesEndpoint = declare<ProjectParams>(
  ASSOCIATE_DEBUG_FILES,
  async ({ caller, params }) => {
    const { ctx } = await findProject(caller, params);
    requireOneOf(ctx, UPLOAD_RIGHTS);
    return { body: { associatedDsymFiles: [] } };
  },
);

const MAPPING_OF_RELEASE = z.object({ release_name: z.string().min(1), proguard_uuid: z.uuid() });

const ASSOCIATE_MAPPING = {
  summary: 'Answers whether a mapping of a release is there',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: MAPPING_OF_RELEASE,
  answer: z.object({}),
  status: 201,
} satisfies Operation;

/** Older clients tell which release a mapping is of. Events name the mapping itself, so that nothing is to be kept. */
export const associateMappingEndpoint = declare<ProjectParams>(
  ASSOCIATE_MAPPING,
  async ({ caller, params, request }) => {
    const { ctx, project } = await findProject(caller, params);
    requireOneOf(ctx, UPLOAD_RIGHTS);
    const { proguard_uuid: search } = await readJsonBody(request, MAPPING_OF_RELEASE);
    const input = { projectSlug: project.slug, search, limit: 1, cursor: null };
    const { files } = await listDeobfuscationFiles(ctx, input);
    if (files.length === 0) {
      throw invalid(`The project has no mapping ${search}: upload it first`, 'proguard_uuid');
    }
    return { body: {}, status: 201 };
  },
);

function readFileId(url: URL): number {
  const id = url.searchParams.get('id') ?? '';
  if (!/^\d{1,15}$/.test(id)) throw notFound('The project has no such file: take its id from the list');
  return Number(id);
}
