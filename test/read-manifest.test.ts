import { expect, test } from 'vitest';
import { openZip } from '#lib/zip-archive.ts';
import { readManifest } from '#product/artifacts/read-manifest.ts';
import { ARCHIVE_LIMITS } from '#product/artifacts/upload-limits.ts';
import { makeBundle, makeZip } from './harness/make-zip.ts';

const ID = '0d6f3c1e-6a43-4b1f-9f0a-7a4e2d1c5b38';
const manifestOf = async (bytes: Buffer) =>
  readManifest(
    await openZip(
      { bytes: bytes.length, read: async (from, to) => Buffer.from(bytes.subarray(from, to)) },
      ARCHIVE_LIMITS,
    ),
  );
const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid', message: expect.stringMatching(message) });

test('lists the files of a bundle with what their headers say', async () => {
  const manifest = await manifestOf(
    makeBundle(
      [
        {
          url: '~/app.js',
          type: 'minified_source',
          content: 'throw 1',
          headers: { 'debug-id': ID.toUpperCase(), Sourcemap: 'app.js.map' },
        },
        { url: '~/app.js.map', type: 'source_map', content: '{}', headers: { 'Debug-Id': ID } },
        { url: '~/app.ts', type: 'source', content: 'throw 1' },
        { url: '~/app.bundle', type: 'indexed_ram_bundle', content: 'x' },
      ],
      { org: 'acme', project: 'web', release: 'web@1.0.0', dist: 'a' },
    ),
  );
  expect(manifest).toEqual({
    project: 'web',
    release: 'web@1.0.0',
    dist: 'a',
    files: [
      {
        kind: 'minified_source',
        url: '~/app.js',
        debugId: ID,
        path: 'files/_/_/app.js',
        bytes: 7,
        sourceMap: 'app.js.map',
        headers: { 'debug-id': ID.toUpperCase(), sourcemap: 'app.js.map' },
      },
      expect.objectContaining({ kind: 'source_map', debugId: ID, bytes: 2, sourceMap: null }),
      expect.objectContaining({ kind: 'source', debugId: null }),
      expect.objectContaining({ kind: 'other' }),
    ],
  });
});

test('asks a script itself when its headers say nothing', async () => {
  const script = (content: string, headers = {}) => ({
    url: '~/app.js',
    type: 'minified_source',
    content,
    headers,
  });
  const read = async (content: string, headers = {}) => {
    const { files } = await manifestOf(makeBundle([script(content, headers)]));
    return [files[0]?.debugId, files[0]?.sourceMap];
  };
  const comments = `x;\n//# sourceMappingURL=app.js.map\n//# debugId=${ID}`;
  expect(await read(comments)).toEqual([ID, 'app.js.map']);
  expect(await read(comments, { sourcemap: 'other.map' })).toEqual([null, 'other.map']);
  expect(await read('x;\n//# sourceMappingURL=data:application/json,{}')).toEqual([null, 'data:']);
  expect(await read('x;')).toEqual([null, null]);
});

test('takes a bundle without files, and without anything about itself', async () => {
  expect(await manifestOf(makeZip([{ name: 'manifest.json', content: '{}' }]))).toEqual({
    project: null,
    release: null,
    dist: null,
    files: [],
  });
});

test.each([
  ['no manifest', [{ name: 'app.js', content: '' }], /no manifest\.json/],
  ['a manifest that is no JSON', [{ name: 'manifest.json', content: '{' }], /not valid JSON/],
  [
    'a manifest that names what is not there',
    [{ name: 'manifest.json', content: '{"files":{"files/app.js":{"url":"~/app.js"}}}' }],
    /lists "files\/app\.js"/,
  ],
  [
    'a name that no index takes',
    [
      { name: 'a', content: '' },
      { name: 'manifest.json', content: JSON.stringify({ files: { a: { url: `~/${'é'.repeat(1_000)}` } } }) },
    ],
    /longer than 2000 bytes/,
  ],
])('refuses an archive with %s', async (_, files, message) => {
  await expect(manifestOf(makeZip(files))).rejects.toEqual(invalid(message));
});

test('headers of any shape do no harm', async () => {
  const files = JSON.stringify({
    a: { url: 7, type: [], headers: 'no' },
    b: {
      url: '~/b.js',
      type: 'constructor',
      headers: { 'debug-id': 5, __proto__: 'x', 'X-Long': 'x'.repeat(9_000) },
    },
  });
  const manifest = await manifestOf(
    makeZip([
      { name: 'a', content: '' },
      { name: 'b', content: '' },
      { name: 'manifest.json', content: `{"files":${files},"release":{}}` },
    ]),
  );
  expect(manifest.release).toBeNull();
  expect(manifest.files.map(({ kind, url, debugId, headers }) => [kind, url, debugId, headers])).toEqual([
    ['other', '', null, {}],
    ['other', '~/b.js', null, {}],
  ]);
});
