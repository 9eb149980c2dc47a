import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashSecret } from '#lib/one-time-secret.ts';
import { DAY_MS } from '#lib/time.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import {
  createOrganizationToken,
  formatOrganizationToken,
  listOrganizationTokens,
  revokeAllOrganizationTokens,
} from '#product/tokens/organization-tokens.ts';
import { type ApiScene, openApiScene } from './api-scene.ts';
import { servicesOf } from './product-services.ts';

describe('how long tokens open something', () => {
  let scene: ApiScene;
  beforeAll(async () => {
    scene = await openApiScene();
  }, 120_000);
  afterAll(async () => {
    await scene?.product.close();
  });

  const opensAt = (token: string, nowMs: number) =>
    authenticateToken({ ...servicesOf(scene.product), now: () => nowMs }, token).then(
      () => true,
      () => false,
    );

  test('90 days when nobody chooses, for tokens of people and of the organization', async () => {
    const { owner } = scene;
    const nowMs = owner.now();
    const made = [
      await createToken(owner, { name: 'mine', scopes: ['org:read'] }),
      await createOrganizationToken(owner, { name: 'build' }),
    ];
    for (const { token, record } of made) {
      expect(record.expiresAt).toBe(nowMs + 90 * DAY_MS);
      expect(await opensAt(token, nowMs + 90 * DAY_MS - 1)).toBe(true);
      expect(await opensAt(token, nowMs + 90 * DAY_MS)).toBe(false);
    }
  });

  test('without end when that is chosen', async () => {
    const { owner } = scene;
    const { token, record } = await createOrganizationToken(owner, { name: 'forever', expiresAt: null });
    expect(record.expiresAt).toBeNull();
    expect(await opensAt(token, owner.now() + 3_650 * DAY_MS)).toBe(true);
  });

  test('without end for a token of an organization from before tokens expired', async () => {
    const { product, mine, owner } = scene;
    const nowMs = owner.now();
    const token = formatOrganizationToken({ nowMs, url: owner.publicUrl, organization: mine.slug });
    // As the version before wrote it.
    await product.pool.query(
      `INSERT INTO organization_tokens (organization_id, name, scopes, token_hash, last_characters, created_at)
       VALUES ($1, 'old', '{org:ci}', $2, 'abcd', now() - interval '2 years')`,
      [mine.id, Buffer.from(hashSecret(token))],
    );
    expect(await opensAt(token, nowMs)).toBe(true);
    const listed = await listOrganizationTokens(owner);
    expect(listed.find(({ name }) => name === 'old')?.expiresAt).toBeNull();
  });

  test('the API takes days, or null for never', async () => {
    const path = 'organizations/[org]/org-auth-tokens';
    const make = (body: object) => scene.answer<{ expiresAt: string | null }>('POST', path, { json: body });
    const nowMs = scene.owner.now();
    const dayOf = (days: number) => new Date(nowMs + days * DAY_MS).toISOString();
    expect(await make({ name: 'a' })).toMatchObject([201, { expiresAt: dayOf(90) }]);
    expect(await make({ name: 'b', expiresInDays: 7 })).toMatchObject([201, { expiresAt: dayOf(7) }]);
    expect(await make({ name: 'c', expiresInDays: null })).toMatchObject([201, { expiresAt: null }]);
    for (const expiresInDays of [0, -1, 1.5, 3_651, '7']) {
      expect((await make({ name: 'd', expiresInDays }))[0]).toBe(400);
    }
  });

  test('all of an organization are revoked at once, each in the log, and those of no other', async () => {
    const { product, owner } = scene;
    const other = await product.join(await product.createOrganization(), 'owner');
    const { token: kept } = await createOrganizationToken(other, { name: 'kept' });
    const name = randomBytes(4).toString('hex');
    const { token } = await createOrganizationToken(owner, { name });
    const { length } = await listOrganizationTokens(owner);
    expect(await revokeAllOrganizationTokens(owner)).toBe(length);
    expect(await listOrganizationTokens(owner)).toEqual([]);
    expect([await opensAt(token, owner.now()), await opensAt(kept, owner.now())]).toEqual([false, true]);
    const entries = await owner.stores.audit.list(owner.organization.id, {}, 100);
    const removed = entries.filter(({ action }) => action === 'org-auth-token.remove');
    expect(removed).toHaveLength(length);
    expect(removed.map(({ target }) => target.name)).toContain(name);
    expect(await revokeAllOrganizationTokens(owner)).toBe(0);
  });
});
