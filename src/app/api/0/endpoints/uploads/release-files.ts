import { z } from 'zod';
import { answerDownload } from '#app/answer-download.ts';
import { RELEASE_FILE, serializeReleaseFile } from '#app/api/0/endpoints/uploads/artifact-shapes.ts';
import { uploadReleaseFile } from '#app/api/0/endpoints/uploads/upload-release-file.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { nameRelease, readPathNumber } from '#app/api/0/path-scope.ts';
import { DOWNLOAD, PAGE, texts, WORDS } from '#app/api/0/query.ts';
import type { Project } from '#domain/projects.ts';
import {
  deleteReleaseFile,
  getReleaseFile,
  listReleaseFiles,
  openReleaseFile,
  updateReleaseFile,
} from '#product/artifacts/release-files.ts';

const RENAMED = z.object({ name: z.string().max(2_000), dist: z.string().max(64).nullish() });

/** Files that were uploaded to a release one by one. Source: https://docs.sentry.io/api/releases/ */
const FILES = [
  'organizations/[org]/releases/[version]/files',
  'projects/[org]/[project]/releases/[version]/files',
] as const;
const FILE = [
  'organizations/[org]/releases/[version]/files/[file]',
  'projects/[org]/[project]/releases/[version]/files/[file]',
] as const;

export const releaseFileOperations: readonly Operation[] = [
  get(FILES, {
    summary: "Lists a release's individually uploaded files",
    scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
    query: { ...PAGE, ...WORDS, checksum: texts('SHA-1 sums') },
    answer: z.array(RELEASE_FILE),
    isPaged: true,
    async handle({ ctx, project, params, query: { search, limit, checksum: checksums }, page }) {
      const input = { ...nameRelease(params, project), search, limit };
      return page(async (cursor) => {
        const { files, nextCursor } = await listReleaseFiles(ctx, { ...input, cursor });
        const requested = files.filter(
          ({ checksum }) => checksums.length === 0 || checksums.includes(checksum),
        );
        return { rows: requested.map(serializeReleaseFile), nextCursor };
      });
    },
  }),

  post(FILES, {
    summary: 'Uploads a file to a release',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: 'form',
    answer: RELEASE_FILE,
    status: 201,
    handle: async ({ ctx, project, params, request }) =>
      serializeReleaseFile(await uploadReleaseFile(ctx, nameRelease(params, project), request)),
  }),

  /** What is known of a file; with `?download=1` its content. */
  get(FILE, {
    summary: 'Retrieves a release\'s file, or its content with "download"',
    scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
    query: { ...DOWNLOAD },
    answer: RELEASE_FILE,
    async handle({ ctx, project, params, query }) {
      const input = nameFile(params, project);
      if (!query.isDownload) return serializeReleaseFile(await getReleaseFile(ctx, input));
      const opened = await openReleaseFile(ctx, input);
      const contentType = opened.file.headers['content-type'] ?? 'application/octet-stream';
      return answerDownload(opened, { name: opened.file.name, contentType });
    },
  }),

  put(FILE, {
    summary: "Renames a release's file",
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: RENAMED,
    answer: RELEASE_FILE,
    async handle({ ctx, project, params, body: { name, dist } }) {
      const change = { name, ...(dist === undefined ? {} : { dist }) };
      return serializeReleaseFile(await updateReleaseFile(ctx, { ...nameFile(params, project), ...change }));
    },
  }),

  del(FILE, {
    summary: "Deletes a release's file",
    scopes: ['project:releases', 'org:ci', 'project:write'],
    answer: null,
    handle: async ({ ctx, project, params }) => deleteReleaseFile(ctx, nameFile(params, project)),
  }),
];

const nameFile = (params: { version: string; file: string }, project: Project | null) => ({
  ...nameRelease(params, project),
  fileId: readPathNumber(params.file, 'File not found in this release: use an ID from the list'),
});
