import { createHash } from 'node:crypto';
import { type ApiRequest, type ApiRow, forBuilds, row } from './api-row.ts';
import type { MatrixScene } from './scene.ts';

const ORG = 'organizations/[org]';
const PROJECT = 'projects/[org]/[project]';

/** The end of a zip archive, and nothing before it. */
const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

const sha1 = (bytes: string | Buffer): string => createHash('sha1').update(bytes).digest('hex');

const formOf =
  (field: string, filename: string, bytes: string | Buffer, fields = {}) =>
  (): FormData => {
    const form = new FormData();
    form.append(field, new Blob([new Uint8Array(Buffer.from(bytes))]), filename);
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
    return form;
  };

/** Bytes of the organization, as an upload has left them. */
async function storeBytes(s: MatrixScene, content: string): Promise<string> {
  const writer = await s.product.stores.artifactFiles.create(s.mine.id, { expected: null, bytesMax: 1_000 });
  writer.write(Buffer.from(content));
  return (await writer.finish()).checksum;
}

export async function newReleaseFile(s: MatrixScene): Promise<{ bundle: string; file: string }> {
  const content = `function ${s.unique()}() {}`;
  const checksum = await storeBytes(s, content);
  const bytes = content.length;
  const { artifacts } = s.product.stores;
  const bundle = await artifacts.saveBundle(s.mine.id, {
    kind: 'release_file',
    checksum,
    bytes,
    uploadedAt: s.product.clock.nowMs,
    projectIds: [s.web.id],
    releases: [{ version: s.version, dist: null }],
    files: [
      {
        kind: 'minified_source',
        url: `~/${s.unique()}.js`,
        debugId: null,
        path: null,
        bytes,
        sourceMap: null,
        headers: {},
      },
    ],
  });
  const [file] = await artifacts.listFiles(s.mine.id, bundle.id, { search: '', limit: 1, afterId: null });
  return { bundle: String(bundle.id), file: String(file!.id) };
}

export async function newMapping(s: MatrixScene): Promise<{ id: number; debugId: string }> {
  const checksum = await storeBytes(s, `com.example.${s.unique()} -> a.a:`);
  const debugId = `${s.unique()}-0000-5000-8000-000000000000`;
  const { id } = await s.product.stores.artifacts.saveDeobfuscationFile(s.mine.id, {
    projectId: s.web.id,
    kind: 'proguard',
    debugId,
    arch: null,
    checksum,
    name: 'mapping.txt',
    bytes: 30,
    uploadedAt: s.product.clock.nowMs,
  });
  return { id, debugId };
}

const ofBundle = async (s: MatrixScene): Promise<ApiRequest> => {
  const params = await newReleaseFile(s);
  return { params, query: `bundleId=${params.bundle}` };
};
const ofReleaseFile = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { file: (await newReleaseFile(s)).bundle },
  body: { name: `~/${s.unique()}.js` },
});
const ofMapping = async (s: MatrixScene): Promise<ApiRequest> => ({
  query: `id=${(await newMapping(s)).id}`,
});
const ofRelease = (s: MatrixScene): ApiRequest => ({ query: `name=${encodeURIComponent(s.version)}` });
const upload = (s: MatrixScene): ApiRequest => ({
  form: formOf('file', 'app.js', 'run()', { name: `~/${s.unique()}.js` }),
});
const assemble = (s: MatrixScene): ApiRequest => {
  const checksum = sha1(s.unique());
  return { body: { checksum, chunks: [checksum], projects: [s.web.slug] } };
};

const releaseFileRows = (base: string): Record<string, ApiRow> => ({
  [`GET ${base}/releases/[version]/files`]: forBuilds('viewer'),
  [`POST ${base}/releases/[version]/files`]: forBuilds('member', upload),
  [`GET ${base}/releases/[version]/files/[file]`]: forBuilds('viewer', ofReleaseFile),
  [`PUT ${base}/releases/[version]/files/[file]`]: forBuilds('member', ofReleaseFile),
  [`DELETE ${base}/releases/[version]/files/[file]`]: forBuilds('member', ofReleaseFile),
});

/** What builds upload, and what becomes of it. */
export const UPLOAD_ROWS: Readonly<Record<string, ApiRow>> = {
  ...releaseFileRows(ORG),
  ...releaseFileRows(PROJECT),
  [`GET ${ORG}/chunk-upload`]: forBuilds('member'),
  [`POST ${ORG}/chunk-upload`]: forBuilds('member', (s) => {
    const content = s.unique();
    return { form: formOf('file', sha1(content), content) };
  }),
  [`POST ${ORG}/artifactbundle/assemble`]: forBuilds('member', assemble),
  [`POST ${ORG}/releases/[version]/assemble`]: forBuilds('member', assemble),
  [`POST ${PROJECT}/files/difs/assemble`]: forBuilds('member', (s) => {
    const checksum = sha1(s.unique());
    return { body: { [checksum]: { name: 'mapping.txt', chunks: [checksum] } } };
  }),
  [`GET ${PROJECT}/files/dsyms`]: forBuilds('viewer'),
  [`POST ${PROJECT}/files/dsyms`]: forBuilds('member', () => ({ form: formOf('file', 'a.zip', EMPTY_ZIP) })),
  [`DELETE ${PROJECT}/files/dsyms`]: row('admin', ofMapping),
  [`POST ${PROJECT}/files/dsyms/associate`]: forBuilds('member', () => ({ body: { checksums: [] } })),
  [`POST ${PROJECT}/files/proguard-artifact-releases`]: forBuilds('member', async (s) => ({
    body: { release_name: s.version, proguard_uuid: (await newMapping(s)).debugId },
  })),
  [`GET ${PROJECT}/files/artifact-bundles`]: forBuilds('viewer'),
  [`DELETE ${PROJECT}/files/artifact-bundles`]: row('admin', ofBundle),
  [`GET ${PROJECT}/artifact-bundles/[bundle]/files`]: forBuilds('viewer', ofBundle),
  [`GET ${PROJECT}/artifact-bundles/[bundle]/files/[file]`]: forBuilds('viewer', ofBundle),
  [`GET ${PROJECT}/files/source-maps`]: forBuilds('viewer'),
  [`DELETE ${PROJECT}/files/source-maps`]: row('admin', ofRelease),
  [`POST ${PROJECT}/releases/[version]/reprocessing`]: row('member', async (s) => ({
    params: { project: (await s.newProject()).slug },
  })),
  [`DELETE ${ORG}/files/source-maps`]: row('admin', ofRelease),
};
