import { z } from 'zod';
import { answerDownload } from '#app/api/0/answer-download.ts';
import { answerPage } from '#app/api/0/answer-page.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { DOWNLOAD, PAGE, WORDS } from '#app/api/0/parameters.ts';
import { isDownload, readLimit } from '#app/api/0/read-parameters.ts';
import { BUNDLE, BUNDLE_FILE } from '#app/api/0/schemas/artifact.ts';
import { serializeBundle, serializeBundleFile } from '#app/api/0/serializers/serialize-artifact.ts';
import { notFound } from '#lib/errors.ts';
import { getBundleFile, listBundleFiles, openBundleFile } from '#product/artifacts/bundle-files.ts';
import { deleteBundle, getBundle, listBundles } from '#product/artifacts/bundles.ts';
import { findProject, type ProjectParams } from './find-project.ts';

type BundleParams = ProjectParams & { bundle: string };

const LIST_BUNDLES = {
  summary: 'Lists the uploads of a project',
  scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
  query: { ...PAGE, ...WORDS },
  answer: z.array(BUNDLE),
  isPaged: true,
} satisfies Operation;

/** Newest first. Source: src/sentry/api/endpoints/artifact_bundles.py of Sentry. */
export const listBundlesEndpoint = declare<ProjectParams>(LIST_BUNDLES, async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  const input = {
    projectSlugs: [project.slug],
    version: null,
    search: url.searchParams.get('query') ?? '',
    limit: readLimit(url),
  };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { bundles, nextCursor } = await listBundles(ctx, { ...input, cursor });
    return { rows: bundles.map(serializeBundle), nextCursor };
  });
});

const DELETE_BUNDLE = {
  summary: 'Deletes an upload, named by "bundleId"',
  scopes: ['project:write'],
  query: { bundleId: z.string().describe('The number of an upload') },
  answer: null,
} satisfies Operation;

/** The bundle that `?bundleId=` names. */
export const deleteBundleEndpoint = declare<ProjectParams>(DELETE_BUNDLE, async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  const bundleId = readId(url.searchParams.get('bundleId') ?? '');
  await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
  await deleteBundle(ctx, { bundleId });
  return { body: null, status: 204 };
});

const LIST_BUNDLE_FILES = {
  summary: 'Lists the files of an upload',
  scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
  query: { ...PAGE, ...WORDS },
  answer: BUNDLE.extend({ files: z.array(BUNDLE_FILE) }),
  isPaged: true,
} satisfies Operation;

/** A bundle with its files, by name. */
export const listBundleFilesEndpoint = declare<BundleParams>(
  LIST_BUNDLE_FILES,
  async ({ caller, params, url }) => {
    const { ctx, project } = await findProject(caller, params);
    const bundleId = readId(params.bundle);
    const bundle = await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
    const input = { bundleId, search: url.searchParams.get('query') ?? '', limit: readLimit(url) };
    const page = await answerPage(ctx.publicUrl, url, async (cursor) => {
      const { files, nextCursor } = await listBundleFiles(ctx, { ...input, cursor });
      return { rows: files.map(serializeBundleFile), nextCursor };
    });
    return { ...page, body: { ...serializeBundle(bundle), files: page.body } };
  },
);

const GET_BUNDLE_FILE = {
  summary: 'Answers a file of an upload, or its content with "download"',
  scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
  query: { ...DOWNLOAD },
  answer: BUNDLE_FILE,
} satisfies Operation;

/** What is known of a file; with `?download=1` its content. */
export const getBundleFileEndpoint = declare<BundleParams & { file: string }>(
  GET_BUNDLE_FILE,
  async (call) => {
    const { ctx, project } = await findProject(call.caller, call.params);
    const bundleId = readId(call.params.bundle);
    await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
    const place = { bundleId, fileId: readId(call.params.file) };
    if (!isDownload(call.url)) return { body: serializeBundleFile(await getBundleFile(ctx, place)) };
    const opened = await openBundleFile(ctx, place);
    const name = opened.file.url || (opened.file.path ?? '');
    return answerDownload(opened, { name, contentType: 'application/octet-stream' });
  },
);

function readId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound('There is no such upload: take its id from the list');
  return Number(text);
}
