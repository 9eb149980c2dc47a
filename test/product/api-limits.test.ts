import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '#config.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { createApiLimits } from '#product/api-limits.ts';
import { provideServices } from '#product/services.ts';
import { createOrganizationToken, revokeOrganizationToken } from '#product/tokens/organization-tokens.ts';
import { testInFull } from '../harness/is-full.ts';
import { type ApiScene, openApiScene } from './api-scene.ts';
import { servicesOf } from './product-services.ts';

describe('the limits of the web API', () => {
  let scene: ApiScene;
  beforeAll(async () => {
    scene = await openApiScene();
  }, 120_000);
  afterAll(async () => {
    await scene?.product.close();
  });

  let nowMs = Date.now();
  /** A quarter into the next minute, with these limits. */
  function limit(limits: Parameters<typeof createApiLimits>[0]) {
    nowMs = (Math.floor(nowMs / MINUTE_MS) + 1.25) * MINUTE_MS;
    const services = { ...servicesOf(scene.product), now: () => nowMs };
    provideServices({ ...services, apiLimits: createApiLimits(limits, () => nowMs) });
  }
  const organization = 'organizations/[org]';
  const limitHeaders = ({ headers }: Response) =>
    Object.fromEntries(
      [...headers].flatMap(([name, value]) =>
        name.startsWith('x-sentry-rate-limit-') ? [[name.slice('x-sentry-rate-limit-'.length), value]] : [],
      ),
    );

  test('every answer says what is left, as Sentry says it, errors and empty answers too', async () => {
    limit({ requestsPerMinuteMax: 100, concurrentMax: 7 });
    const first = await scene.ask('GET', organization);
    expect([first.status, limitHeaders(first)]).toEqual([
      200,
      {
        limit: '100',
        remaining: '99',
        reset: String(Math.floor(nowMs / 1000) + 45),
        concurrentlimit: '7',
        concurrentremaining: '6',
      },
    ]);
    const missing = await scene.ask('GET', organization, { params: { org: 'nowhere' } });
    expect([missing.status, limitHeaders(missing).remaining]).toEqual([404, '98']);
  });

  test('beyond the limit the answer is 429 until the next minute, with Retry-After and a detail', async () => {
    limit({ requestsPerMinuteMax: 3, concurrentMax: 7 });
    for (let count = 0; count < 3; count++) expect((await scene.ask('GET', organization)).status).toBe(200);
    const refused = await scene.ask('GET', organization);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('45');
    expect(limitHeaders(refused)).toMatchObject({ limit: '3', remaining: '0' });
    expect(await refused.json()).toEqual({
      detail: 'Too many requests: the limit is 3 requests per 60 seconds',
    });
    nowMs += 45_000;
    expect((await scene.ask('GET', organization)).status).toBe(200);
  });

  test('another token of the same user changes nothing; one of the organization has its own', async () => {
    limit({ requestsPerMinuteMax: 2, concurrentMax: 7 });
    const second = await scene.tokenOf(scene.owner);
    expect((await scene.ask('GET', organization)).status).toBe(200);
    expect((await scene.ask('GET', organization, { token: second })).status).toBe(200);
    expect((await scene.ask('GET', organization, { token: second })).status).toBe(429);
    const { token } = await createOrganizationToken(scene.owner, { name: 'Build', expiresAt: null });
    const upload = await scene.ask('GET', 'organizations/[org]/chunk-upload', { token });
    expect([upload.status, limitHeaders(upload).remaining]).toEqual([200, '1']);
  });

  test('so many are under way at once, and a place is free when an answer is there', async () => {
    limit({ requestsPerMinuteMax: 1_000, concurrentMax: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => scene.ask('GET', organization)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(limitHeaders(refused!)).toMatchObject({ concurrentlimit: '3', concurrentremaining: '0' });
    for (let count = 0; count < 5; count++) expect((await scene.ask('GET', organization)).status).toBe(200);
  });

  test('an address without valid credentials is refused, and keeps nobody out who has some', async () => {
    limit({ requestsPerMinuteMax: 1_000, concurrentMax: 50, refusalsPerMinuteMax: 5 });
    const from = (address: string, token?: string) =>
      scene.ask('GET', organization, { token, headers: { 'x-forwarded-for': address } });
    for (let count = 0; count < 5; count++) {
      expect((await from('2001:db8:1:1::5', `errata_${'x'.repeat(40)}`)).status).toBe(401);
    }
    // The whole network of one customer counts as one.
    const refused = await from('2001:db8:1:1:ffff::9', `errata_${'y'.repeat(40)}`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '45']);
    expect((await from('2001:db8:1:1::5')).status).toBe(200);
    expect((await from('2001:db8:1:2::5', `errata_${'x'.repeat(40)}`)).status).toBe(401);
    // Few are looked up at once from there on.
    const many = await Promise.all(
      Array.from({ length: 20 }, () => from('2001:db8:1:1::5', `errata_${'z'.repeat(40)}`)),
    );
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([429]));
  });

  test('many wrong tokens under way keep no token out that was right lately, until it is revoked', async () => {
    limit({ requestsPerMinuteMax: 1_000, concurrentMax: 50, refusalsPerMinuteMax: 5 });
    const from = (token?: string) =>
      scene.ask('GET', organization, { token, headers: { 'x-forwarded-for': '198.51.100.7' } });
    const flood = () => Array.from({ length: 20 }, () => from(`errata_${'x'.repeat(40)}`));
    const { token, record } = await createOrganizationToken(scene.owner, {
      name: 'Soon gone',
      expiresAt: null,
    });
    const upload = () =>
      scene.ask('GET', 'organizations/[org]/chunk-upload', {
        token,
        headers: { 'x-forwarded-for': '198.51.100.7' },
      });
    expect([(await from()).status, (await upload()).status]).toEqual([200, 200]);
    await Promise.all(flood());
    const during = [...flood(), from(), upload()];
    const statuses = (await Promise.all(during)).map(({ status }) => status);
    expect(statuses.slice(-2)).toEqual([200, 200]);
    expect(new Set(statuses.slice(0, -2))).toEqual(new Set([429]));
    await revokeOrganizationToken(scene.owner, { tokenId: record.id });
    expect((await upload()).status).toBe(429);
  });

  testInFull('a program that uploads thousands of parts stays within the default', async () => {
    limit(parseConfig({}).apiLimits);
    for (let batch = 0; batch < 30; batch++) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => scene.ask('GET', 'organizations/[org]/chunk-upload')),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
  });
});
