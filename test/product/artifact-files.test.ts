import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { assembleDeobfuscation } from '#product/artifacts/assemble-deobfuscation.ts';
import {
  deleteDeobfuscationFile,
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
import type { Context } from '#product/context.ts';
import { testInFull } from '../harness/is-full.ts';
import { makeZip } from '../harness/make-zip.ts';
import { openProduct, type Product } from './open-product.ts';
import { DEBUG_ID, piecesOf, sha1, storePart } from './upload-scene.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let mine: Organization;
let web: Project;
let admin: Joined;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  mine = await product.createOrganization();
  web = await product.createProject(mine, 'web');
  await product.createProject(mine, 'api');
  admin = await product.join(mine, 'admin');
});
afterAll(async () => {
  await product?.close();
});

const textOf = async (
  opened: Promise<{ content: NodeJS.ReadableStream & { toArray(): Promise<Buffer[]> } }>,
) => Buffer.concat(await (await opened).content.toArray()).toString();

describe('files of a release', () => {
  const release = { version: 'web@1.0.0', projectSlugs: ['web'] };
  const save = (content: string | Buffer, name = '~/app.js', dist: string | null = null, headers = {}) =>
    saveReleaseFile(admin, {
      ...release,
      body: piecesOf(content),
      describe: async () => ({ name, dist, headers }),
    });
  const list = async (search = '') =>
    (await listReleaseFiles(admin, { ...release, search, cursor: null, limit: 10 })).files;

  test('are saved by name and dist, listed, read, renamed and deleted', async () => {
    const file = await save('throw 1', '~/app.js', 'a', { Sourcemap: 'app.js.map' });
    expect(file).toEqual({
      id: expect.any(Number),
      name: '~/app.js',
      dist: 'a',
      headers: { sourcemap: 'app.js.map' },
      bytes: 7,
      checksum: sha1('throw 1'),
      uploadedAt: product.clock.nowMs,
    });
    const place = { ...release, fileId: file.id };
    expect(await list()).toEqual([file]);
    expect(await list('APP')).toEqual([file]);
    expect(await list('other')).toEqual([]);
    expect(await getReleaseFile(admin, place)).toEqual(file);
    expect(await textOf(openReleaseFile(admin, place))).toBe('throw 1');
    expect(await updateReleaseFile(admin, { ...place, name: '~/new.js' })).toEqual({
      ...file,
      name: '~/new.js',
    });
    expect(await updateReleaseFile(admin, { ...place, dist: null })).toMatchObject({
      name: '~/new.js',
      dist: null,
    });
    await deleteReleaseFile(admin, place);
    expect(await list()).toEqual([]);
    await expect(getReleaseFile(admin, place)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('replace the one of the same name, and bring the release into being', async () => {
    const projectIds = [web.id];
    expect(await product.stores.releases.findRelease(mine.id, projectIds, release.version)).toBeNull();
    await save('first');
    await save('second');
    await save('third', '~/app.js', 'b');
    expect((await list()).map(({ checksum }) => checksum).sort()).toEqual(
      [sha1('second'), sha1('third')].sort(),
    );
    expect(await product.stores.releases.findRelease(mine.id, projectIds, release.version)).not.toBeNull();
    const { projectSlugs: _, ...ofOrganization } = release;
    await saveReleaseFile(admin, {
      ...ofOrganization,
      projectSlugs: [],
      body: piecesOf('fourth'),
      describe: async () => ({ name: '~/four.js', dist: null, headers: {} }),
    });
    expect(await list()).toHaveLength(3);
  });

  test('say themselves what their headers do not say', async () => {
    await save(`x;\n//# sourceMappingURL=app.js.map\n//# debugId=${DEBUG_ID}`);
    await save('{}', '~/app.js.map');
    await save('source', '~/app.ts?v=2');
    const found = await product.stores.artifacts.findByUrl(
      mine.id,
      web.id,
      { version: release.version, dist: null },
      ['~/app.js', '~/app.js.map', '~/app.ts?v=2'],
    );
    expect(found.map(({ kind, debugId, sourceMap }) => [kind, debugId, sourceMap]).sort()).toEqual([
      ['minified_source', DEBUG_ID, 'app.js.map'],
      ['source', null, null],
      ['source_map', null, null],
    ]);
  });

  testInFull(
    'are refused without a name, a release or a project, too large, and when the client hangs up',
    async () => {
      const refused = (code: string) => expect.objectContaining({ code });
      await expect(save('x', ' ')).rejects.toEqual(refused('invalid'));
      await expect(save(Buffer.alloc(41 * 1024 * 1024))).rejects.toEqual(refused('invalid'));
      const input = { body: piecesOf('x'), describe: async () => ({ name: 'x', dist: null, headers: {} }) };
      await expect(saveReleaseFile(admin, { ...input, version: 'none@1', projectSlugs: [] })).rejects.toEqual(
        refused('not_found'),
      );
      for (const version of ['..', 'latest', 'a\nb']) {
        await expect(saveReleaseFile(admin, { ...input, version, projectSlugs: ['web'] })).rejects.toEqual(
          refused('invalid'),
        );
      }
      async function* broken() {
        yield Buffer.from('half');
        throw new Error('The connection is gone');
      }
      await expect(saveReleaseFile(admin, { ...input, ...release, body: broken() })).rejects.toThrow('gone');
      expect(await list()).toEqual([]);
      expect(await product.stores.artifactFiles.has(mine.id, sha1('half'))).toBe(false);
    },
  );

  test('are not those of another project or another release', async () => {
    const { id } = await save('x');
    const missing = expect.objectContaining({ code: 'not_found' });
    await expect(getReleaseFile(admin, { ...release, version: 'web@2', fileId: id })).rejects.toEqual(
      missing,
    );
    await expect(getReleaseFile(admin, { ...release, projectSlugs: ['api'], fileId: id })).rejects.toEqual(
      missing,
    );
  });
});

describe('mappings', () => {
  const MAPPING = 'com.example.Cart -> a.a:\n    1:1:void pay():5:5 -> a\n';
  const ask = (name: string, content = MAPPING, debugId: string | null = null, ctx: Context = admin) =>
    assembleDeobfuscation(ctx, {
      projectSlug: 'web',
      files: [{ checksum: sha1(content), name, debugId, chunks: [sha1(content)] }],
    }).then((answers) => answers.get(sha1(content)));
  const list = async () =>
    (await listDeobfuscationFiles(admin, { projectSlug: 'web', search: '', cursor: null, limit: 10 })).files;

  test('are asked for, sent, listed, read and deleted', async () => {
    const name = `/proguard/${DEBUG_ID}.txt`;
    expect(await ask(name)).toEqual({
      state: 'not_found',
      missingChunks: [sha1(MAPPING)],
      detail: null,
      file: null,
    });
    await storePart(admin, MAPPING);
    const answer = await ask(name);
    expect(answer).toMatchObject({ state: 'ok', file: { debugId: DEBUG_ID, name, bytes: MAPPING.length } });
    expect(await ask(name)).toEqual(answer);
    const [file] = await list();
    expect(file).toEqual(answer?.file);
    const place = { projectSlug: 'web', fileId: file?.id ?? 0 };
    expect(await textOf(openDeobfuscationFile(admin, place))).toBe(MAPPING);
    await expect(openDeobfuscationFile(admin, { ...place, projectSlug: 'api' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await deleteDeobfuscationFile(admin, place);
    expect(await list()).toEqual([]);
  });

  test('have the id that the client names, else that of their name, else that of their content', async () => {
    const idOf = async (name: string, content: string, debugId: string | null) => {
      await storePart(admin, content);
      return (await ask(name, content, debugId))?.file?.debugId;
    };
    const other = '747e1d76-509b-5225-8a5b-db7b7d4067d4';
    expect(await idOf(`/proguard/${DEBUG_ID}.txt`, `${MAPPING}#1`, other.toUpperCase())).toBe(other);
    expect(await idOf(`/proguard/${DEBUG_ID}.txt`, `${MAPPING}#2`, null)).toBe(DEBUG_ID);
    expect(await idOf('mapping.txt', MAPPING, null)).toBe('d62f09c2-5d42-57d6-84b2-c0f8cbcd12af');
    // The same bytes under one more id.
    expect((await ask(`/proguard/${other}.txt`))?.file?.debugId).toBe(other);
    expect((await list()).filter(({ checksum }) => checksum === sha1(MAPPING))).toHaveLength(2);
  });

  test('are not what holds no class, nor native debug files', async () => {
    const failed = (detail: RegExp) => ({
      state: 'error',
      detail: expect.stringMatching(detail),
      file: null,
    });
    expect(await ask('libapp.so')).toMatchObject(failed(/convert them with dump_syms/));
    await storePart(admin, 'hello');
    expect(await ask('mapping.txt', 'hello')).toMatchObject(failed(/contains no class/));
    expect(await list()).toEqual([]);
  });

  test('come in an archive too', async () => {
    const other = '747e1d76-509b-5225-8a5b-db7b7d4067d4';
    const save = (bytes: Buffer) =>
      saveDeobfuscationArchive(admin, { projectSlug: 'web', body: piecesOf(bytes) });
    const saved = await save(
      makeZip([
        { name: `proguard/${DEBUG_ID}.txt`, content: MAPPING },
        { name: `proguard/mapping-${other}.txt`, content: `${MAPPING}#` },
        { name: 'readme.md', content: 'x' },
      ]),
    );
    expect(saved.map(({ debugId }) => debugId)).toEqual([DEBUG_ID, other]);
    expect(await list()).toEqual(saved);
    expect(await save(makeZip([]))).toEqual([]);
    // The archive itself is needed by nothing.
    const packed = makeZip([{ name: `proguard/${DEBUG_ID}.txt`, content: MAPPING }]);
    await save(packed);
    expect(await product.stores.artifactFiles.has(mine.id, sha1(packed))).toBe(false);
    const refused = expect.objectContaining({ code: 'invalid' });
    await expect(save(makeZip([{ name: 'readme.md', content: 'x' }]))).rejects.toEqual(refused);
    const idOf = (index: number) => `${String(index).padStart(8, '0')}-6a43-4b1f-9f0a-7a4e2d1c5b38`;
    const many = Array.from({ length: 101 }, (_, index) => ({
      name: `proguard/${idOf(index)}.txt`,
      content: `${MAPPING}# ${index}`,
    }));
    await expect(save(makeZip(many))).rejects.toMatchObject({
      message: expect.stringMatching(/at most 100/),
    });
    expect(await list()).toHaveLength(saved.length);
    await expect(save(Buffer.from('no archive'))).rejects.toEqual(refused);
    await expect(save(makeZip([{ name: `../proguard/${other}.txt`, content: MAPPING }]))).rejects.toEqual(
      refused,
    );
  });
});

describe('symbol files', () => {
  const ID = '5b2c350e-a259-c51e-9f95-40d4ce0e261c';
  const SYMBOLS = `MODULE Linux x86_64 ${ID.replaceAll('-', '').toUpperCase()}2 shop\nFUNC 1000 10 0 pay\n`;
  const ask = async (name: string, content: string, debugId: string | null = null) => {
    await storePart(admin, content);
    const answers = await assembleDeobfuscation(admin, {
      projectSlug: 'web',
      files: [{ checksum: sha1(content), name, debugId, chunks: [sha1(content)] }],
    });
    return answers.get(sha1(content));
  };

  test('are told by their first line, stand beside mappings, and are deleted', async () => {
    const answer = await ask('shop.sym', SYMBOLS, `${ID}-2`);
    expect(answer).toMatchObject({
      state: 'ok',
      file: { kind: 'breakpad', debugId: `${ID}-2`, arch: 'x86_64', name: 'shop.sym' },
    });
    expect(await ask('shop.sym', SYMBOLS)).toEqual(answer);
    const list = async (kind?: 'proguard' | 'breakpad') =>
      (
        await listDeobfuscationFiles(admin, {
          projectSlug: 'web',
          ...(kind && { kind }),
          search: '',
          cursor: null,
          limit: 100,
        })
      ).files;
    expect(await list('breakpad')).toEqual([answer?.file]);
    expect(await list('proguard')).not.toContainEqual(answer?.file);
    expect(await list()).toContainEqual(answer?.file);
    await deleteDeobfuscationFile(admin, { projectSlug: 'web', fileId: answer?.file?.id ?? 0 });
    expect(await list('breakpad')).toEqual([]);
  });

  test('are refused for another build, and without their first line', async () => {
    const other = `${SYMBOLS}#`;
    expect(await ask('shop.sym', other, ID)).toMatchObject({
      state: 'error',
      detail: expect.stringContaining(`is of ${ID}-2`),
    });
    expect(await ask('shop.sym', '\u007fELF')).toMatchObject({
      state: 'error',
      detail: expect.stringContaining('MODULE'),
    });
  });

  test('come in an archive too', async () => {
    const archive = makeZip([{ name: 'symbols/shop/1/shop.sym', content: SYMBOLS }]);
    const [saved] = await saveDeobfuscationArchive(admin, { projectSlug: 'web', body: piecesOf(archive) });
    expect(saved).toMatchObject({ kind: 'breakpad', debugId: `${ID}-2` });
  });
});
