import { z } from 'zod';
import { answerDownload } from '#app/api/0/answer-download.ts';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiCall } from '#app/api/0/handle-api-request.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { DOWNLOAD, PAGE, WORDS } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { isDownload, readLimit } from '#app/api/0/read-parameters.ts';
import { RELEASE_FILE } from '#app/api/0/schemas/artifact.ts';
import { serializeReleaseFile } from '#app/api/0/serializers/serialize-artifact.ts';
import { notFound } from '#lib/errors.ts';
import {
  deleteReleaseFile,
  getReleaseFile,
  listReleaseFiles,
  openReleaseFile,
  updateReleaseFile,
} from '#product/artifacts/release-files.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';
import { readVersion, type VersionParams } from './release-path.ts';
import { type ReleaseScope, uploadReleaseFile } from './upload-release-file.ts';

type FindRelease<Params> = (call: ApiCall<Params>) => Promise<ReleaseScope>;

const LIST_RELEASE_FILES = {
  summary: 'Lists files that were uploaded to a release one by one',
  scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
  query: { ...PAGE, ...WORDS, checksum: z.array(z.string()).describe('SHA-1 sums') },
  answer: z.array(RELEASE_FILE),
  isPaged: true,
} satisfies Operation;

const UPLOAD_RELEASE_FILE = {
  summary: 'Takes a file for a release',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: 'form',
  answer: RELEASE_FILE,
  status: 201,
} satisfies Operation;

const GET_RELEASE_FILE = {
  summary: 'Answers a file of a release, or its content with "download"',
  scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
  query: { ...DOWNLOAD },
  answer: RELEASE_FILE,
} satisfies Operation;

const RENAMED = z.object({ name: z.string().max(2_000), dist: z.string().max(64).nullish() });

const UPDATE_RELEASE_FILE = {
  summary: 'Renames a file of a release',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  body: RENAMED,
  answer: RELEASE_FILE,
} satisfies Operation;

const DELETE_RELEASE_FILE = {
  summary: 'Deletes a file of a release',
  scopes: ['project:releases', 'org:ci', 'project:write'],
  answer: null,
} satisfies Operation;

/** Files that were uploaded to a release one by one. Source: https://docs.sentry.io/api/releases/ */
function releaseFileEndpoints<Params>(findRelease: FindRelease<Params>) {
  const ofFile = async (call: ApiCall<Params & { file: string }>) => ({
    ...(await findRelease(call)),
    fileId: readFileId(call.params.file),
  });

  const list = declare<Params>(LIST_RELEASE_FILES, async (call) => {
    const { ctx, ...release } = await findRelease(call);
    const input = {
      ...release,
      search: call.url.searchParams.get('query') ?? '',
      limit: readLimit(call.url),
    };
    const checksums = new Set(call.url.searchParams.getAll('checksum'));
    return answerPage(ctx.publicUrl, call.url, async (cursor) => {
      const { files, nextCursor } = await listReleaseFiles(ctx, { ...input, cursor });
      const asked = files.filter(({ checksum }) => checksums.size === 0 || checksums.has(checksum));
      return { rows: asked.map(serializeReleaseFile), nextCursor };
    });
  });

  const upload = declare<Params>(UPLOAD_RELEASE_FILE, async (call) => {
    const file = await uploadReleaseFile(await findRelease(call), call.request);
    return { body: serializeReleaseFile(file), status: 201 };
  });

  /** What is known of a file; with `?download=1` its content. */
  const get = declare<Params & { file: string }>(GET_RELEASE_FILE, async (call) => {
    const { ctx, ...input } = await ofFile(call);
    if (!isDownload(call.url)) return { body: serializeReleaseFile(await getReleaseFile(ctx, input)) };
    const opened = await openReleaseFile(ctx, input);
    const contentType = opened.file.headers['content-type'] ?? 'application/octet-stream';
    return answerDownload(opened, { name: opened.file.name, contentType });
  });

  const update = declare<Params & { file: string }>(UPDATE_RELEASE_FILE, async (call) => {
    const { ctx, ...input } = await ofFile(call);
    const { name, dist } = await readJsonBody(call.request, RENAMED);
    const change = { name, ...(dist === undefined ? {} : { dist }) };
    return { body: serializeReleaseFile(await updateReleaseFile(ctx, { ...input, ...change })) };
  });

  const remove = declare<Params & { file: string }>(DELETE_RELEASE_FILE, async (call) => {
    const { ctx, ...input } = await ofFile(call);
    await deleteReleaseFile(ctx, input);
    return { body: null, status: 204 };
  });

  return { list, upload, get, update, remove };
}

export const organizationReleaseFiles = releaseFileEndpoints<OrganizationParams & VersionParams>(
  async ({ caller, params }) => ({
    ctx: contextOf(caller, params.org),
    version: readVersion(params),
    projectSlugs: [],
  }),
);

export const projectReleaseFiles = releaseFileEndpoints<ProjectParams & VersionParams>(
  async ({ caller, params }) => {
    const { ctx, project } = await findProject(caller, params);
    return { ctx, version: readVersion(params), projectSlugs: [project.slug] };
  },
);

function readFileId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound('The release has no such file: take its id from the list');
  return Number(text);
}
