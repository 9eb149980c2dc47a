import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptReference } from '#pipeline/symbolicate/symbol-sources.ts';
import { locateSource, locateSourceMap } from '#product/artifacts/locate-source-map.ts';
import { readArtifact } from '#product/artifacts/open-stored.ts';
import { readSourceProblem } from '#product/events/source-problem.ts';
import { makeArtifacts, makeFile } from '../contract/sample-artifacts.ts';
import { makeSourceMap } from '../harness/make-source-map.ts';
import { openProduct, type Product } from './open-product.ts';
import { openReprocessScene, SEGMENTS, SOURCES } from './reprocess-scene.ts';

let product: Product;
let scene: Awaited<ReturnType<typeof openReprocessScene>>;
const MAP = makeSourceMap(SOURCES, SEGMENTS);
const REFERENCE: ScriptReference = {
  url: 'https://shop.example.com/assets/app.js?v=3',
  debugId: null,
  release: '1.0',
  dist: null,
};

beforeAll(async () => {
  product = await openProduct();
  scene = await openReprocessScene(product);
  const release = { version: '1.0', dist: null };
  await scene.upload('1.0');
  await scene.uploadFile(
    { name: 'lost.js', content: 'l()', kind: 'minified_source', sourceMap: 'lost.js.map' },
    release,
  );
  await scene.uploadFile({ name: 'unnamed.js', content: 'u()', kind: 'minified_source' }, release);
  await scene.uploadFile({ name: 'unnamed.js.map', content: MAP, kind: 'source_map' }, release);
  await scene.uploadFile({ name: 'src/a.ts', content: 'const a = 1;', kind: 'source' }, release);
  const other = { version: '1.0', dist: 'ios' };
  await scene.uploadFile({ name: 'phone.js', content: 'p()', kind: 'minified_source' }, other);
});
afterAll(async () => {
  await scene?.close();
  await product?.close();
});

const locate = (change: Partial<ScriptReference> = {}) =>
  locateSourceMap(product.stores.artifacts, scene.scope, { ...REFERENCE, ...change });
const urlOf = (name: string) => `https://shop.example.com/assets/${name}`;

describe('a script of a release', () => {
  test('is found without its host and its query, and its map beside it', async () => {
    expect(await locate()).toMatchObject({
      kind: 'located',
      file: '~/assets/app.js',
      foundBy: 'release',
      baseUrl: 'https://shop.example.com/assets/app.js.map',
      map: { url: '~/assets/app.js.map', kind: 'source_map' },
    });
  });

  test('that does not name its map has the one of its name', async () => {
    expect(await locate({ url: urlOf('unnamed.js') })).toMatchObject({
      kind: 'located',
      map: { url: '~/assets/unnamed.js.map' },
    });
  });

  test('has sources that were uploaded beside it', async () => {
    const located = await locate();
    if (located.kind !== 'located') throw new Error('It is not found');
    const source = await locateSource(product.stores.artifacts, scene.scope, REFERENCE, located, 'src/a.ts');
    const bytes =
      source && (await readArtifact(product.stores.artifactFiles, scene.scope.organizationId, source, 100));
    expect(bytes?.toString()).toBe('const a = 1;');
    expect(
      await locateSource(product.stores.artifacts, scene.scope, REFERENCE, located, 'src/none.ts'),
    ).toBeNull();
  });

  test('has its very source, however many are named like it', async () => {
    const { artifacts } = product.stores;
    const { organizationId, projectId } = scene.scope;
    const names = [
      ...Array.from({ length: 60 }, (_, index) => `~/src/a.ts.${index}`),
      '~/src/a.ts',
      '~/app.js.map',
    ];
    const bundle = await artifacts.saveBundle(
      organizationId,
      makeArtifacts(
        { projectId },
        {
          releases: [],
          files: names.map((url) => makeFile({ url, kind: url.endsWith('.map') ? 'source_map' : 'source' })),
        },
      ),
    );
    const [map = null] = await artifacts.findInBundle(organizationId, bundle.id, ['~/app.js.map']);
    const located = { baseUrl: 'https://shop.example.com/app.js.map', script: null, map };
    expect(await locateSource(artifacts, scene.scope, REFERENCE, located, 'src/a.ts')).toMatchObject({
      bundleId: bundle.id,
      url: '~/src/a.ts',
    });
  });
});

describe('the reason why there is none', () => {
  test('names some dists of a release that has hundreds, and stays one that pages can read', async () => {
    const { organizationId, projectId } = scene.scope;
    const releases = Array.from({ length: 120 }, (_, index) => ({ version: '9.0', dist: `build-${index}` }));
    const file = makeFile({ url: '~/other.js' });
    await product.stores.artifacts.saveBundle(
      organizationId,
      makeArtifacts({ projectId }, { releases, files: [file] }),
    );
    const located = await locate({ release: '9.0' });
    if (located.kind !== 'absent') throw new Error('It is found');
    const { kind, ...problem } = located;
    expect(problem).toMatchObject({ reason: 'other_dist', dist: null });
    expect(readSourceProblem({ data: { source_problem: problem } })).toEqual(problem);
  });

  test.each([
    ['nothing names it', { release: null }, { reason: 'no_debug_id_and_no_release' }],
    ['another release', { release: '2.0' }, { reason: 'release_has_no_files', release: '2.0' }],
    [
      'a dist without files',
      { dist: 'web' },
      { reason: 'other_dist', dist: 'web', uploadedDists: [null, 'ios'] },
    ],
    [
      'a file of another dist',
      { url: urlOf('phone.js') },
      { reason: 'other_dist', dist: null, uploadedDists: ['ios'] },
    ],
    [
      'another folder',
      { url: 'https://shop.example.com/app.js' },
      { reason: 'file_not_in_release', nearest: '~/assets/app.js' },
    ],
    ['a name like none', { url: urlOf('zzz.js') }, { reason: 'file_not_in_release', nearest: null }],
    [
      'no map',
      { url: urlOf('lost.js') },
      { reason: 'map_missing', file: '~/assets/lost.js', mapUrl: 'lost.js.map' },
    ],
    [
      'a debug id that nobody uploaded',
      { debugId: '11111111-2222-3333-4444-555555555555', release: '2.0' },
      { reason: 'debug_id_not_uploaded', debugId: '11111111-2222-3333-4444-555555555555' },
    ],
    [
      'what was found of the release tells more than the debug id',
      { debugId: '11111111-2222-3333-4444-555555555555', url: urlOf('lost.js') },
      { reason: 'map_missing', file: '~/assets/lost.js' },
    ],
  ] as const)('%s', async (_, change, problem) => {
    expect(await locate(change)).toMatchObject({ kind: 'absent', ...problem });
  });

  test('files of other projects and organizations are nobody’s business', async () => {
    const organizationId = scene.organization.id;
    const sibling = await product.createProject(scene.organization, 'sibling');
    const stranger = await product.createOrganization();
    for (const scope of [
      { organizationId, projectId: sibling.id },
      { organizationId: stranger.id, projectId: scene.project.id },
    ]) {
      expect(await locateSourceMap(product.stores.artifacts, scope, REFERENCE)).toMatchObject({
        reason: 'release_has_no_files',
      });
    }
  });
});
