import { assembleBundle } from '#product/artifacts/assemble-bundle.ts';
import { assembleDeobfuscation } from '#product/artifacts/assemble-deobfuscation.ts';
import { getBundleFile, listBundleFiles, openBundleFile } from '#product/artifacts/bundle-files.ts';
import { deleteBundle, getBundle, listBundles } from '#product/artifacts/bundles.ts';
import { deleteReleaseArtifacts } from '#product/artifacts/delete-release-artifacts.ts';
import {
  deleteDeobfuscationFile,
  getDeobfuscationFile,
  listDeobfuscationFiles,
  openDeobfuscationFile,
} from '#product/artifacts/deobfuscation-files.ts';
import {
  deleteReleaseFile,
  getReleaseFile,
  listReleaseFiles,
  openReleaseFile,
  updateReleaseFile,
} from '#product/artifacts/release-files.ts';
import { saveDeobfuscationArchive } from '#product/artifacts/save-mapping.ts';
import { saveReleaseFile } from '#product/artifacts/save-release-file.ts';
import { describeChunkUpload, storeChunk } from '#product/artifacts/store-chunk.ts';
import { sumUploads } from '#product/artifacts/upload-headroom.ts';
import { makeZip } from '../../harness/make-zip.ts';
import { piecesOf, sha1 } from '../upload-scene.ts';
import { reads, settings, type VerbRow, works } from './rows.ts';
import type { MatrixScene } from './scene.ts';
import { newMapping, newReleaseFile } from './upload-rows.ts';

const page = { search: '', cursor: null, limit: 10 };
const ofRelease = (s: MatrixScene) => ({ version: s.version, projectSlugs: ['web'] });
const place = async (s: MatrixScene) => ({
  ...ofRelease(s),
  fileId: Number((await newReleaseFile(s)).bundle),
});
const ofBundle = async (s: MatrixScene) => {
  const { bundle, file } = await newReleaseFile(s);
  return { bundleId: Number(bundle), fileId: Number(file), projectSlugs: [] };
};
const ofMapping = async (s: MatrixScene) => ({ projectSlug: 'web', fileId: (await newMapping(s)).id });

/** Opened, and closed again without a look. */
const opened = async (opening: Promise<{ content: { destroy(): unknown } }>) =>
  void (await opening).content.destroy();

export const ARTIFACT_READS: Readonly<Record<string, VerbRow>> = {
  getBundleFile: reads('viewer', async (ctx, s) => getBundleFile(ctx, await ofBundle(s))),
  getBundle: reads('viewer', async (ctx, s) => getBundle(ctx, await ofBundle(s))),
  getDeobfuscationFile: reads('viewer', async (ctx, s) => getDeobfuscationFile(ctx, await ofMapping(s))),
  getReleaseFile: reads('viewer', async (ctx, s) => getReleaseFile(ctx, await place(s))),
  listBundleFiles: reads('viewer', async (ctx, s) =>
    listBundleFiles(ctx, { ...(await ofBundle(s)), ...page }),
  ),
  listBundles: reads('viewer', (ctx) => listBundles(ctx, { projectSlugs: [], version: null, ...page })),
  listDeobfuscationFiles: reads('viewer', (ctx) =>
    listDeobfuscationFiles(ctx, { projectSlug: 'web', ...page }),
  ),
  listReleaseFiles: reads('viewer', (ctx, s) => listReleaseFiles(ctx, { ...ofRelease(s), ...page })),
  openBundleFile: reads('viewer', async (ctx, s) => opened(openBundleFile(ctx, await ofBundle(s)))),
  openDeobfuscationFile: reads('viewer', async (ctx, s) =>
    opened(openDeobfuscationFile(ctx, await ofMapping(s))),
  ),
  openReleaseFile: reads('viewer', async (ctx, s) => opened(openReleaseFile(ctx, await place(s)))),
  sumUploads: reads('viewer', (ctx) => sumUploads(ctx)),
};

export const ARTIFACT_CHANGES: Readonly<Record<string, VerbRow>> = {
  assembleBundle: works('member', (ctx, s) => {
    const checksum = sha1(s.unique());
    return assembleBundle(ctx, { ...ofRelease(s), checksum, chunks: [checksum], dist: null });
  }),
  assembleDeobfuscation: works('member', (ctx, s) => {
    const checksum = sha1(s.unique());
    const file = { checksum, name: 'mapping.txt', debugId: null, chunks: [checksum] };
    return assembleDeobfuscation(ctx, { projectSlug: 'web', files: [file] });
  }),
  deleteBundle: settings('admin', 'artifact-bundle.remove', async (ctx, s) =>
    deleteBundle(ctx, await ofBundle(s)),
  ),
  deleteDeobfuscationFile: settings('admin', 'deobfuscation-file.remove', async (ctx, s) =>
    deleteDeobfuscationFile(ctx, await ofMapping(s)),
  ),
  deleteReleaseArtifacts: settings('admin', 'release-artifacts.remove', async (ctx, s) => {
    await newReleaseFile(s);
    return deleteReleaseArtifacts(ctx, ofRelease(s));
  }),
  deleteReleaseFile: settings('member', 'release-file.remove', async (ctx, s) =>
    deleteReleaseFile(ctx, await place(s)),
  ),
  describeChunkUpload: works('member', (ctx) => describeChunkUpload(ctx)),
  saveDeobfuscationArchive: works('member', (ctx) =>
    saveDeobfuscationArchive(ctx, { projectSlug: 'web', body: piecesOf(makeZip([])) }),
  ),
  saveReleaseFile: works('member', (ctx, s) =>
    saveReleaseFile(ctx, {
      ...ofRelease(s),
      body: piecesOf(s.unique()),
      describe: async () => ({ name: `~/${s.unique()}.js`, dist: null, headers: {} }),
    }),
  ),
  storeChunk: works('member', (ctx, s) => {
    const content = s.unique();
    return storeChunk(ctx, { checksum: sha1(content), encoding: 'none', body: piecesOf(content) });
  }),
  updateReleaseFile: works('member', async (ctx, s) =>
    updateReleaseFile(ctx, { ...(await place(s)), name: `~/${s.unique()}.js` }),
  ),
};
