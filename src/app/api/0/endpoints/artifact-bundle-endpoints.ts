import { answerDownload } from '#app/api/0/answer-download.ts';
import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { isDownload, readLimit } from '#app/api/0/read-parameters.ts';
import { serializeBundle, serializeBundleFile } from '#app/api/0/serializers/serialize-artifact.ts';
import { notFound } from '#lib/errors.ts';
import { deleteBundle } from '#product/artifacts/delete-bundle.ts';
import { getBundle } from '#product/artifacts/get-bundle.ts';
import { getBundleFile } from '#product/artifacts/get-bundle-file.ts';
import { listBundleFiles } from '#product/artifacts/list-bundle-files.ts';
import { listBundles } from '#product/artifacts/list-bundles.ts';
import { openBundleFile } from '#product/artifacts/open-bundle-file.ts';
import { findProject, type ProjectParams } from './find-project.ts';

type BundleParams = ProjectParams & { bundle: string };

/** Newest first. Source: src/sentry/api/endpoints/artifact_bundles.py of Sentry. */
export const listBundlesEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
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
};

/** The bundle that `?bundleId=` names. */
export const deleteBundleEndpoint: ApiEndpoint<ProjectParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  const bundleId = readId(url.searchParams.get('bundleId') ?? '');
  await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
  await deleteBundle(ctx, { bundleId });
  return { body: null, status: 204 };
};

/** A bundle with its files, by name. */
export const listBundleFilesEndpoint: ApiEndpoint<BundleParams> = async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  const bundleId = readId(params.bundle);
  const bundle = await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
  const input = { bundleId, search: url.searchParams.get('query') ?? '', limit: readLimit(url) };
  const page = await answerPage(ctx.publicUrl, url, async (cursor) => {
    const { files, nextCursor } = await listBundleFiles(ctx, { ...input, cursor });
    return { rows: files.map(serializeBundleFile), nextCursor };
  });
  return { ...page, body: { ...serializeBundle(bundle), files: page.body } };
};

/** What is known of a file; with `?download=1` its content. */
export const getBundleFileEndpoint: ApiEndpoint<BundleParams & { file: string }> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const bundleId = readId(call.params.bundle);
  await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
  const place = { bundleId, fileId: readId(call.params.file) };
  if (!isDownload(call.url)) return { body: serializeBundleFile(await getBundleFile(ctx, place)) };
  const opened = await openBundleFile(ctx, place);
  const name = opened.file.url || (opened.file.path ?? '');
  return answerDownload(opened, { name, contentType: 'application/octet-stream' });
};

function readId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound('There is no such upload: take its id from the list');
  return Number(text);
}
