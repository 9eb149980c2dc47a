import { z } from 'zod';
import { answerDownload } from '#app/answer-download.ts';
import {
  ARCHIVE,
  BUNDLE,
  BUNDLE_FILE,
  serializeArchive,
  serializeBundle,
  serializeBundleFile,
} from '#app/api/0/endpoints/uploads/artifact-shapes.ts';
import { del, get, type Operation } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { DOWNLOAD, PAGE, type Parameter, text, WORDS } from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import { getBundleFile, listBundleFiles, openBundleFile } from '#product/artifacts/bundle-files.ts';
import { deleteBundle, getBundle, listBundles } from '#product/artifacts/bundles.ts';
import { deleteReleaseArtifacts } from '#product/artifacts/delete-release-artifacts.ts';

const RELEASE_NAME: Parameter<string> = {
  schema: z.string().describe('Release version'),
  read(searchParams, name) {
    const version = searchParams.get(name) ?? '';
    if (version !== '') return version;
    throw invalid('Specify the release whose files to delete: add ?name=<version>', name);
  },
};

export const artifactBundleOperations: readonly Operation[] = [
  /** Newest first. Source: src/sentry/api/endpoints/artifact_bundles.py of Sentry. */
  get('projects/[org]/[project]/files/artifact-bundles', {
    summary: "Lists a project's uploads",
    scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
    query: { ...PAGE, ...WORDS },
    answer: z.array(BUNDLE),
    isPaged: true,
    async handle({ ctx, project, query, page }) {
      const input = {
        projectSlugs: [project.slug],
        version: null,
        search: query.search,
        limit: query.limit,
      };
      return page(async (cursor) => {
        const { bundles, nextCursor } = await listBundles(ctx, { ...input, cursor });
        return { rows: bundles.map(serializeBundle), nextCursor };
      });
    },
  }),

  /** The bundle that `?bundleId=` names. */
  del('projects/[org]/[project]/files/artifact-bundles', {
    summary: 'Deletes the upload with this "bundleId"',
    scopes: ['project:write'],
    query: { bundleId: text('Upload ID') },
    answer: null,
    async handle({ ctx, project, query }) {
      const bundleId = readId(query.bundleId ?? '');
      await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
      await deleteBundle(ctx, { bundleId });
    },
  }),

  /** A bundle with its files, by name. */
  get('projects/[org]/[project]/artifact-bundles/[bundle]/files', {
    summary: 'Lists the files in an upload',
    scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
    query: { ...PAGE, ...WORDS },
    answer: BUNDLE.extend({ files: z.array(BUNDLE_FILE) }),
    isPaged: true,
    async handle({ ctx, project, params, query, page }) {
      const bundleId = readId(params.bundle);
      const bundle = await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
      const input = { bundleId, search: query.search, limit: query.limit };
      const reply = await page(async (cursor) => {
        const { files, nextCursor } = await listBundleFiles(ctx, { ...input, cursor });
        return { rows: files.map(serializeBundleFile), nextCursor };
      });
      return reply.wrap((files) => ({ ...serializeBundle(bundle), files }));
    },
  }),

  /** What is known of a file; with `?download=1` its content. */
  get('projects/[org]/[project]/artifact-bundles/[bundle]/files/[file]', {
    summary: 'Retrieves a file in an upload, or its content with "download"',
    scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
    query: { ...DOWNLOAD },
    answer: BUNDLE_FILE,
    async handle({ ctx, project, params, query }) {
      const bundleId = readId(params.bundle);
      await getBundle(ctx, { bundleId, projectSlugs: [project.slug] });
      const place = { bundleId, fileId: readId(params.file) };
      if (!query.isDownload) return serializeBundleFile(await getBundleFile(ctx, place));
      const opened = await openBundleFile(ctx, place);
      const name = opened.file.url || (opened.file.path ?? '');
      return answerDownload(opened, { name, contentType: 'application/octet-stream' });
    },
  }),

  /** Uploads that belong to releases, newest first. Source: src/sentry/api/endpoints/project_artifact_*.py of Sentry. */
  get('projects/[org]/[project]/files/source-maps', {
    summary: "Lists a project's uploads with their releases",
    scopes: ['project:read', 'event:read', 'project:releases', 'org:ci'],
    query: {
      ...PAGE,
      name: text('Release version'),
      ...WORDS,
    },
    answer: z.array(ARCHIVE),
    isPaged: true,
    async handle({ ctx, project, query, page }) {
      const input = {
        projectSlugs: [project.slug],
        version: query.name,
        search: query.search,
        limit: query.limit,
      };
      return page(async (cursor) => {
        const { bundles, nextCursor } = await listBundles(ctx, { ...input, cursor });
        return { rows: bundles.map(serializeArchive), nextCursor };
      });
    },
  }),

  /** All that was uploaded to the release that `?name=` names, for the project. */
  del('projects/[org]/[project]/files/source-maps', {
    summary: "Deletes a release's uploads from a project",
    scopes: ['project:write'],
    query: { name: RELEASE_NAME },
    answer: null,
    handle: async ({ ctx, project, query }) =>
      deleteReleaseArtifacts(ctx, { version: query.name, projectSlugs: [project.slug] }),
  }),

  /** The same for all projects of the organization. */
  del('organizations/[org]/files/source-maps', {
    summary: "Deletes a release's uploads",
    scopes: ['project:write'],
    query: { name: RELEASE_NAME },
    answer: null,
    handle: async ({ ctx, query }) => deleteReleaseArtifacts(ctx, { version: query.name, projectSlugs: [] }),
  }),
];

const readId = (text: string): number => readPathNumber(text, 'Upload not found: use an ID from the list');
