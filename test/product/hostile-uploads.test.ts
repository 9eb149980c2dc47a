import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isErrataError } from '#lib/errors.ts';
import { assembleBundle } from '#product/artifacts/assemble-bundle.ts';
import { assembleDeobfuscation } from '#product/artifacts/assemble-deobfuscation.ts';
import { listBundleFiles, openBundleFile } from '#product/artifacts/bundle-files.ts';
import { listBundles } from '#product/artifacts/bundles.ts';
import { saveReleaseFile } from '#product/artifacts/save-release-file.ts';
import { storeChunk } from '#product/artifacts/store-chunk.ts';
import { heldBytes } from '../harness/held-bytes.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { BUNDLE_HEAD, makeBundle, makeZip } from '../harness/make-zip.ts';
import { chooseSeed, seededRandom } from '../harness/seeded-random.ts';
import { ROOT } from '../harness/start-errata.ts';
import { openProduct, type Product } from './open-product.ts';
import { cut, piecesOf, sha1, storePart, upload } from './upload-scene.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

const DAMAGED = IS_FULL ? 400 : 50;
const MEGABYTE = 1024 * 1024;
/** In every name that could become a file somewhere. */
const MARK = `hostile-${randomBytes(6).toString('hex')}`;

let product: Product;
let member: Joined;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  const mine = await product.createOrganization();
  await product.createProject(mine, 'web');
  member = await product.join(mine, 'member');
});
afterAll(async () => {
  await product?.close();
});

const bundles = async () =>
  (await listBundles(member, { projectSlugs: [], version: null, search: '', cursor: null, limit: 50 }))
    .bundles;

/** Texts that a store, a path, a page or a log may stumble over. */
const NAMES = [
  `../../../../../../tmp/${MARK}`,
  `/tmp/${MARK}`,
  `~/../../${MARK}.js`,
  `file:///tmp/${MARK}`,
  `C:\\${MARK}`,
  `~/${MARK}\0.js`,
  `~/${MARK}\ud800.js`,
  `~/${MARK}\u202e.js`,
  `~/${MARK}"><script>alert(1)</script>`,
  `~/${MARK}%2e%2e%2f`,
  `__proto__`,
  `~/${MARK}${'a'.repeat(3_000)}`,
];

describe('names mean nothing to the disk', () => {
  testInFull('of files, headers, releases and dists in a manifest', async () => {
    const pathOf = (index: number) => `files/_/_/${index}.js`;
    for (const [index, name] of NAMES.entries()) {
      const files = {
        [pathOf(index)]: { url: name, type: name, headers: { Sourcemap: name, [name]: name } },
      };
      for (const manifest of [
        { files },
        { files: {}, release: name },
        { files: {}, project: 'web', dist: name },
      ]) {
        const bytes = makeZip(
          [
            { name: pathOf(index), content: `${MARK} ${index}` },
            { name: 'manifest.json', content: JSON.stringify(manifest) },
          ],
          { prefix: BUNDLE_HEAD },
        );
        const { state, detail } = await upload(member, bytes);
        expect([name, state === 'ok' || (state === 'error' && detail !== null)]).toEqual([name, true]);
      }
    }
    for (const { id } of await bundles()) {
      const { files } = await listBundleFiles(member, { bundleId: id, search: '', cursor: null, limit: 10 });
      for (const { url } of files) expect(url).not.toContain('\0');
    }
    expect(leftovers()).toEqual([]);
  });

  test('of files that are uploaded by themselves', async () => {
    for (const name of NAMES) {
      const save = saveReleaseFile(member, {
        version: 'web@1.0.0',
        projectSlugs: ['web'],
        body: piecesOf(MARK),
        describe: async () => ({ name, dist: null, headers: { [name]: name } }),
      });
      const refusal = await save.then(
        () => null,
        (error: unknown) => error,
      );
      expect([name, refusal === null || isErrataError(refusal)]).toEqual([name, true]);
    }
    expect(leftovers()).toEqual([]);
  });

  test('of checksums', async () => {
    for (const checksum of [
      '../../../../tmp/x',
      `${MARK}`,
      '',
      'a'.repeat(39),
      `${'a'.repeat(39)}/`,
      '\0'.repeat(40),
    ]) {
      const chunk = storeChunk(member, { checksum, encoding: 'none', body: piecesOf('x') });
      await expect(chunk).rejects.toMatchObject({ code: 'invalid' });
      const input = { projectSlugs: ['web'], version: null, dist: null };
      const good = sha1('x');
      await expect(assembleBundle(member, { ...input, checksum, chunks: [good] })).rejects.toMatchObject({
        code: 'invalid',
      });
      await expect(
        assembleBundle(member, { ...input, checksum: good, chunks: [checksum] }),
      ).rejects.toMatchObject({ code: 'invalid' });
    }
    expect(leftovers()).toEqual([]);
  });
});

test(
  'a bundle that was damaged anywhere is taken or refused with a reason, in bounded memory',
  async () => {
    const random = seededRandom(chooseSeed());
    const whole = makeBundle([
      { url: '~/app.js', type: 'minified_source', content: 'throw 1;\n//# sourceMappingURL=app.js.map' },
      { url: '~/app.js.map', type: 'source_map', content: '{"version":3,"sources":[],"mappings":""}' },
    ]);
    const before = heldBytes();
    const states = new Map<string, number>();
    for (let round = 0; round < DAMAGED; round++) {
      const bytes = damage(whole, random);
      const { state, detail } = await upload(member, bytes);
      states.set(state, (states.get(state) ?? 0) + 1);
      expect(['ok', 'error']).toContain(state);
      if (state === 'error') expect(detail?.length).toBeGreaterThan(10);
    }
    expect(states.get('error') ?? 0).toBeGreaterThan(DAMAGED / 4);
    expect((heldBytes() - before) / MEGABYTE).toBeLessThan(150);
  },
  10 * 60_000,
);

testInFull('an archive of zeros is refused before it is unpacked', async () => {
  const zeros = makeZip([
    { name: 'manifest.json', content: Buffer.alloc(64 * MEGABYTE, ' ') },
    ...Array.from({ length: 20 }, (_, index) => ({ name: `${index}`, content: Buffer.alloc(4 * MEGABYTE) })),
  ]);
  const before = heldBytes();
  const answer = await upload(member, zeros);
  expect(answer).toMatchObject({ state: 'error', detail: expect.stringMatching(/250 times/) });
  expect((heldBytes() - before) / MEGABYTE).toBeLessThan(64);
  expect(await bundles()).toEqual([]);
});

testInFull('an archive whose names would fill the memory is refused before they are read', async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `${index}/`.padEnd(4_090, 'x'));
  const files = names.map((name, index) => ({ name, content: 'x', ...(index > 0 && { sharesBytesOf: 0 }) }));
  const answer = await upload(member, makeZip(files), { parts: 3 });
  expect(answer).toMatchObject({
    state: 'error',
    detail: expect.stringMatching(/directory.*16777216 bytes/),
  });
});

testInFull('many who read a large file of an archive at once, slowly, hold none of it whole', async () => {
  const content = randomBytes(24 * MEGABYTE);
  const whole = makeBundle([{ url: '~/large.js', type: 'minified_source', content }]);
  expect((await upload(member, whole, { parts: 4 })).state).toBe('ok');
  const [bundle] = await bundles();
  const { files } = await listBundleFiles(member, {
    bundleId: bundle!.id,
    search: '',
    cursor: null,
    limit: 1,
  });
  const place = { bundleId: bundle!.id, fileId: files[0]!.id };
  const before = heldBytes();
  const opened = await Promise.all(Array.from({ length: 12 }, () => openBundleFile(member, place)));
  await Promise.all(opened.map(({ content: stream }) => once(stream, 'readable')));
  expect((heldBytes() - before) / MEGABYTE).toBeLessThan(60);
  const [first, ...others] = opened.map((each) => each.content);
  for (const stream of others) stream.destroy();
  expect(Buffer.concat(await first!.toArray()).equals(content)).toBe(true);
});

describe('what is refused leaves nothing but its parts', () => {
  const kept = async () => {
    const { artifactFiles } = product.stores;
    expect(await artifactFiles.removeAbandoned(Number.POSITIVE_INFINITY)).toBe(0);
    const files = await artifactFiles.listOlder(Number.POSITIVE_INFINITY, null, 10_000);
    return files.map(({ checksum }) => checksum).sort();
  };

  test('of an archive that is none, in parts of which one is named again and again', async () => {
    const before = await kept();
    const zeros = Buffer.alloc(1_000);
    await storePart(member, zeros);
    const whole = Buffer.alloc(50_000);
    const input = { projectSlugs: ['web'], version: null, dist: null };
    const chunks = Array.from({ length: 50 }, () => sha1(zeros));
    expect(await assembleBundle(member, { ...input, checksum: sha1(whole), chunks })).toMatchObject({
      state: 'error',
      detail: expect.stringMatching(/readable zip archive/),
    });
    expect(await kept()).toEqual([...before, sha1(zeros)].sort());
  });

  test('of an archive for what is not there, of a mapping that is none, of a file without a name', async () => {
    const before = await kept();
    const [head, tail] = [randomBytes(1_000), randomBytes(1_000)];
    const parts = [await storePart(member, head), await storePart(member, tail)];
    const chunks = parts.map(({ checksum }) => checksum);
    const checksum = sha1(Buffer.concat([head, tail]));
    const mapping = { checksum, name: 'mapping.txt', debugId: null, chunks };
    const answers = await assembleDeobfuscation(member, { projectSlug: 'web', files: [mapping] });
    expect(answers.get(checksum)).toMatchObject({ state: 'error' });
    const elsewhere = makeBundle([], { project: 'gone' });
    const cutUp = cut(elsewhere, 2);
    for (const part of cutUp) chunks.push((await storePart(member, part)).checksum);
    const refused = await assembleBundle(member, {
      checksum: sha1(elsewhere),
      chunks: cutUp.map(sha1),
      projectSlugs: [],
      version: null,
      dist: null,
    });
    expect(refused).toMatchObject({ state: 'error', detail: expect.stringMatching(/"gone"/) });
    const file = saveReleaseFile(member, {
      version: '1',
      projectSlugs: ['web'],
      body: piecesOf(`${MARK} nameless`),
      describe: async () => ({ name: ' ', dist: null, headers: {} }),
    });
    await expect(file).rejects.toMatchObject({ code: 'invalid' });
    expect(await kept()).toEqual([...before, ...chunks].sort());
  });
});

test('parts of somebody else are not there', async () => {
  const bytes = makeBundle([{ url: '~/secret.js', type: 'minified_source', content: MARK }]);
  await storePart(member, bytes);
  const others = await product.createOrganization();
  await product.createProject(others, 'web');
  const stranger = await product.join(others, 'owner');
  const input = { checksum: sha1(bytes), chunks: [sha1(bytes)], version: null, dist: null };
  const asked = await assembleBundle(stranger, { ...input, projectSlugs: ['web'] });
  expect(asked).toMatchObject({ state: 'not_found', missingChunks: [sha1(bytes)] });
});

/** Files with the mark in their name where an escape could have put them. */
function leftovers(): string[] {
  return [tmpdir(), '/', '/etc', ROOT, process.cwd()].flatMap((folder) =>
    readdirSync(folder).filter((name) => name.includes(MARK)),
  );
}

function damage(bytes: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * bytes.length);
  const kind = random();
  if (kind < 0.2) return bytes.subarray(0, at);
  if (kind < 0.4) return Buffer.concat([bytes.subarray(0, at), randomBytes(4), bytes.subarray(at)]);
  const copy = Buffer.from(bytes);
  for (let flips = 1 + Math.floor(random() * 4); flips > 0; flips--) {
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  }
  return copy;
}
