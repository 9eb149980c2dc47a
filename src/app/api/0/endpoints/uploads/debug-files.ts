import { z } from 'zod';
import { answerDownload } from '#app/answer-download.ts';
import {
  DEOBFUSCATION_FILE,
  serializeDeobfuscationFile,
} from '#app/api/0/endpoints/uploads/artifact-shapes.ts';
import { del, get, type Operation, post } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { PAGE, text, WORDS } from '#app/api/0/query.ts';
import { readForm } from '#app/api/0/read-body.ts';
import { invalid } from '#lib/errors.ts';
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

const MAPPING_OF_RELEASE = z.object({ release_name: z.string().min(1), proguard_uuid: z.uuid() });

export const debugFileOperations: readonly Operation[] = [
  /**
   * Mappings of ProGuard and R8, and symbol files of native code; with `?id=` the content of one.
   * Source: https://docs.sentry.io/api/projects/list-a-projects-debug-information-files/
   */
  get('projects/[org]/[project]/files/dsyms', {
    summary: 'Lists debug files, or retrieves the content of one by its ID',
    scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
    query: {
      ...PAGE,
      id: text('File ID, to retrieve its content'),
      debug_id: text('Debug ID'),
      ...WORDS,
    },
    answer: z.array(DEOBFUSCATION_FILE),
    isPaged: true,
    async handle({ ctx, project, query, page }) {
      const projectSlug = project.slug;
      if (query.id !== null) {
        const opened = await openDeobfuscationFile(ctx, { projectSlug, fileId: readFileId(query.id) });
        const { debugId, kind } = opened.file;
        const name = `${debugId}.${kind === 'breakpad' ? 'sym' : 'txt'}`;
        return answerDownload(opened, { name, contentType: 'text/plain' });
      }
      const search = query.debug_id ?? query.search;
      const { limit } = query;
      return page(async (cursor) => {
        const { files, nextCursor } = await listDeobfuscationFiles(ctx, {
          projectSlug,
          search,
          limit,
          cursor,
        });
        return { rows: files.map(serializeDeobfuscationFile), nextCursor };
      });
    },
  }),

  /** A zip archive as the part `file`. Source: https://docs.sentry.io/api/projects/upload-a-new-file/ */
  post('projects/[org]/[project]/files/dsyms', {
    summary: 'Uploads an archive of mappings and symbol files',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: 'form',
    answer: z.array(DEOBFUSCATION_FILE),
    status: 201,
    async handle({ ctx, project, request }) {
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
        throw invalid('The form has no file: send the archive in the "file" part', 'file');
      }
      return upload.files.map(serializeDeobfuscationFile);
    },
  }),

  /** Source: https://docs.sentry.io/api/projects/delete-a-specific-projects-debug-information-file/ */
  del('projects/[org]/[project]/files/dsyms', {
    summary: 'Deletes a debug file',
    scopes: ['project:write'],
    query: { id: text('File ID') },
    answer: null,
    handle: async ({ ctx, project, query }) =>
      deleteDeobfuscationFile(ctx, { projectSlug: project.slug, fileId: readFileId(query.id) }),
  }),

  /** Older clients ask for it. Debug information belongs to no release, at Sentry neither. */
  post('projects/[org]/[project]/files/dsyms/associate', {
    summary: 'Checks which of the given mappings exist',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    answer: z.object({ associatedDsymFiles: z.array(z.unknown()) }),
    async handle({ ctx }) {
      requireOneOf(ctx, UPLOAD_RIGHTS);
      return { associatedDsymFiles: [] };
    },
  }),

  /** Older clients send the release of a mapping. Events name the mapping itself, so nothing is stored. */
  post('projects/[org]/[project]/files/proguard-artifact-releases', {
    summary: 'Checks whether a release has a mapping',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: MAPPING_OF_RELEASE,
    answer: z.object({}),
    status: 201,
    async handle({ ctx, project, body }) {
      requireOneOf(ctx, UPLOAD_RIGHTS);
      const { proguard_uuid: search } = body;
      const input = { projectSlug: project.slug, kind: 'proguard', search, limit: 1, cursor: null } as const;
      const { files } = await listDeobfuscationFiles(ctx, input);
      if (files.length === 0) {
        throw invalid(`The project has no mapping ${search}: upload it first`, 'proguard_uuid');
      }
      return {};
    },
  }),
];

const readFileId = (id: string | null): number =>
  readPathNumber(id ?? '', 'File not found in this project: use an ID from the list');
