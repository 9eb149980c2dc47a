import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { deleteBundle, getBundle, listBundles } from '#product/artifacts/bundles.ts';
import { deleteReleaseArtifacts } from '#product/artifacts/delete-release-artifacts.ts';
import { deleteReleaseFile, getReleaseFile, updateReleaseFile } from '#product/artifacts/release-files.ts';
import { saveReleaseFile } from '#product/artifacts/save-release-file.ts';
import { describeChunkUpload } from '#product/artifacts/store-chunk.ts';
import { listAuditEntries } from '#product/audit/audit-log.ts';
import type { Context } from '#product/context.ts';
import { createTeam, setTeamMember, setTeamProject } from '#product/teams/teams.ts';
import { makeBundle } from '../harness/make-zip.ts';
import { openProduct, type Product } from './open-product.ts';
import { askFor, cut, piecesOf, sha1, storePart, upload } from './upload-scene.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let mine: Organization;
let admin: Joined;
beforeAll(async () => {
  product = await openProduct();
});
beforeEach(async () => {
  mine = await product.createOrganization();
  await product.createProject(mine, 'web');
  await product.createProject(mine, 'api');
  admin = await product.join(mine, 'admin');
});
afterAll(async () => {
  await product?.close();
});

const newBundle = () =>
  makeBundle([{ url: '~/app.js', type: 'minified_source', content: randomBytes(2_000) }]);
const list = async (ctx: Context, version: string | null = null) =>
  (await listBundles(ctx, { projectSlugs: [], version, search: '', cursor: null, limit: 10 })).bundles;
const idOf = async (ctx: Context) => (await list(ctx))[0]?.id ?? 0;
const refused = (code: string) => expect.objectContaining({ code });

describe('of uploads, who may', () => {
  const asBuild = (organization = mine): Context =>
    product.contextFor(organization, {
      kind: 'organization_token',
      tokenId: 1,
      name: 'Build',
      scopes: ['org:ci'],
    });
  const asToken = (...scopes: string[]): Context =>
    product.contextFor(mine, { ...admin.actor, kind: 'token', scopes } as Context['actor']);

  test('upload: members and the tokens of builds, in their organization', async () => {
    for (const ctx of [asBuild(), asToken('project:releases'), asToken('project:write')]) {
      expect((await upload(ctx, newBundle())).state).toBe('ok');
    }
    const viewer = await product.join(mine, 'viewer');
    for (const ctx of [viewer, asToken('project:read', 'event:admin')]) {
      await expect(describeChunkUpload(ctx)).rejects.toEqual(refused('forbidden'));
      await expect(storePart(ctx, 'x')).rejects.toEqual(refused('forbidden'));
      await expect(askFor(ctx, newBundle())).rejects.toEqual(refused('forbidden'));
    }
    expect(await list(viewer)).toHaveLength(3);
    const elsewhere = asBuild(await product.createOrganization());
    await expect(askFor(elsewhere, newBundle())).rejects.toEqual(refused('not_found'));
  });

  test('know of parts and uploads: nobody of another organization', async () => {
    const other = await product.createOrganization();
    await product.createProject(other, 'web');
    const stranger = await product.join(other, 'owner');
    const bundle = newBundle();
    await upload(admin, bundle, { parts: 2, version: '1' });
    expect(await askFor(stranger, bundle, { parts: 2 })).toMatchObject({
      state: 'not_found',
      missingChunks: cut(bundle, 2).map(sha1),
    });
    expect(await list(stranger)).toEqual([]);
    const bundleId = await idOf(admin);
    await expect(getBundle(stranger, { bundleId, projectSlugs: [] })).rejects.toEqual(refused('not_found'));
    await expect(deleteBundle(stranger, { bundleId })).rejects.toEqual(refused('not_found'));
    expect(await deleteReleaseArtifacts(stranger, { version: '1', projectSlugs: [] })).toEqual({
      bundles: 0,
    });
    expect(await list(admin)).toHaveLength(1);
  });

  test('touch projects of other teams: nobody, where membership is narrow', async () => {
    await product.pool.query('UPDATE organizations SET is_open = false WHERE id = $1', [mine.id]);
    const narrow = { ...mine, isOpen: false };
    const manager = { ...(await product.join(mine, 'manager')), organization: narrow };
    const ofWeb = { ...(await product.join(narrow, 'admin')), organization: narrow };
    const team = await createTeam(manager, { slug: 'web-team', name: 'Web' });
    await setTeamMember(manager, { team: team.slug, userId: ofWeb.userId, isMember: true });
    await setTeamProject(manager, { team: team.slug, projectSlug: 'web', isOwned: true });
    await expect(askFor(ofWeb, newBundle(), { projectSlugs: ['api'] })).rejects.toEqual(refused('not_found'));
    const shared = newBundle();
    await upload(manager, shared, { projectSlugs: ['web', 'api'] });
    await upload(manager, newBundle(), { projectSlugs: ['api'] });
    expect(await list(ofWeb)).toMatchObject([{ checksum: sha1(shared), projectSlugs: ['web'] }]);
    await expect(deleteBundle(ofWeb, { bundleId: await idOf(ofWeb) })).rejects.toEqual(refused('forbidden'));
    const version = 'shop@1';
    const own = newBundle();
    await upload(manager, shared, { projectSlugs: ['web'], version });
    await upload(manager, own, { projectSlugs: ['web'], version });
    const all = { version, projectSlugs: ['web'] };
    await expect(deleteReleaseArtifacts(ofWeb, all)).rejects.toEqual(refused('forbidden'));
    expect(await list(manager, version)).toHaveLength(2);
    const { id: fileId } = await saveReleaseFile(manager, {
      version: 'shop@2',
      projectSlugs: ['web', 'api'],
      body: piecesOf('x'),
      describe: async () => ({ name: '~/x.js', dist: null, headers: {} }),
    });
    const place = { version: 'shop@2', projectSlugs: ['web'], fileId };
    await expect(deleteReleaseFile(ofWeb, place)).rejects.toEqual(refused('forbidden'));
    await expect(updateReleaseFile(ofWeb, { ...place, name: '~/y.js' })).rejects.toEqual(
      refused('forbidden'),
    );
    expect(await getReleaseFile(manager, place)).toMatchObject({ name: '~/x.js' });
    expect(await deleteReleaseArtifacts(manager, all)).toEqual({ bundles: 2 });
  });

  test('see, rename and delete what they uploaded: tokens that may only upload', async () => {
    const ctx = asToken('project:releases');
    await upload(ctx, newBundle());
    expect(await list(ctx)).toHaveLength(1);
    const { id: fileId } = await saveReleaseFile(ctx, {
      version: '1',
      projectSlugs: ['web'],
      body: piecesOf('x'),
      describe: async () => ({ name: '~/x.js', dist: null, headers: {} }),
    });
    const place = { version: '1', projectSlugs: ['web'], fileId };
    expect(await updateReleaseFile(ctx, { ...place, name: '~/y.js' })).toMatchObject({ name: '~/y.js' });
    await deleteReleaseFile(ctx, place);
    await expect(getReleaseFile(ctx, place)).rejects.toEqual(refused('not_found'));
  });

  test('delete: those who may change projects, and it stays known who did', async () => {
    const bundle = newBundle();
    await upload(admin, bundle, { version: '1' });
    await upload(admin, newBundle(), { version: '2' });
    const bundleId = await idOf(admin);
    const member = await product.join(mine, 'member');
    for (const ctx of [member, asBuild()]) {
      await expect(deleteBundle(ctx, { bundleId })).rejects.toEqual(refused('forbidden'));
      await expect(deleteReleaseArtifacts(ctx, { version: '1', projectSlugs: [] })).rejects.toEqual(
        refused('forbidden'),
      );
    }
    await deleteBundle(admin, { bundleId });
    expect(await deleteReleaseArtifacts(admin, { version: '1', projectSlugs: ['api'] })).toEqual({
      bundles: 0,
    });
    expect(await deleteReleaseArtifacts(admin, { version: '1', projectSlugs: ['web'] })).toEqual({
      bundles: 1,
    });
    expect(await list(admin)).toEqual([]);
    const { entries } = await listAuditEntries(await product.join(mine, 'owner'), {});
    expect(entries).toMatchObject([
      { action: 'release-artifacts.remove', target: { name: '1' }, data: { projects: ['web'], uploads: 1 } },
      { action: 'artifact-bundle.remove', target: { id: String(bundleId) }, actor: { userId: admin.userId } },
    ]);
  });
});
