import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '#product/accounts/create-token.ts';
import { provideServices } from '#product/services.ts';
import { createOrganizationToken } from '#product/tokens/organization-tokens.ts';
import { SCOPES } from '#protocol/scopes.ts';
import { ROLES } from '#storage/ports/accounts.ts';
import { type ApiRoute, listApiRoutes } from '../harness/list-api-routes.ts';
import { servicesOf } from './product-services.ts';
import type { ApiRequest, ApiRow } from './roles-matrix/api-row.ts';
import { API_ROWS, usualParams } from './roles-matrix/api-rows.ts';
import { type Asker, type MatrixScene, openMatrixScene } from './roles-matrix/scene.ts';
import { UPLOAD_ROWS } from './roles-matrix/upload-rows.ts';

const READ_BY_ALL: ApiRow = { needs: 'viewer' };
/** They tell whoever asks what is theirs, and name nobody's organization. */
const OF_THE_CALLER = ['', 'organizations', 'projects'];
const DONE = [200, 201, 202, 204];

const routes = await listApiRoutes();
const cases = routes.flatMap((route) =>
  Object.keys(route.handlers).map((method) => ({ name: `${method} ${route.path}`, method, route })),
);

test('every method that changes something has a row, and every row a method', () => {
  const names = cases.map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith('GET ') && !(name in API_ROWS))).toEqual([]);
  expect(Object.keys(API_ROWS).filter((name) => !names.includes(name))).toEqual([]);
});

describe('role × method × route', () => {
  let scene: MatrixScene;
  let tokens: Record<Asker | 'stranger', string>;
  let organizationToken: string;
  let uploadToken: string;
  let params: Readonly<Record<string, string>>;
  beforeAll(async () => {
    scene = await openMatrixScene();
    provideServices(servicesOf(scene.product));
    const tokenOf = async (ctx: Parameters<typeof createToken>[0]) =>
      (await createToken(ctx, { name: 'Matrix', scopes: SCOPES, expiresAt: null })).token;
    tokens = {} as typeof tokens;
    for (const [asker, ctx] of Object.entries({ ...scene.askers, stranger: scene.stranger })) {
      tokens[asker as Asker] = await tokenOf(ctx);
    }
    const only = { name: 'Upload', scopes: ['project:releases'], expiresAt: null } as const;
    uploadToken = (await createToken(scene.askers.member, only)).token;
    organizationToken = (await createOrganizationToken(scene.owner, { name: 'Build' })).token;
    params = await usualParams(scene);
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  describe.each(cases)('$name', ({ name, method, route }) => {
    const row = API_ROWS[name] ?? READ_BY_ALL;
    let unchanged: ApiRequest | null = null;
    /** Whoever is refused changes nothing, so that one request serves all of them. */
    const refused = async (token: string | null) => {
      unchanged ??= (await row.prepare?.(scene, scene.owner)) ?? {};
      return send(route, method, unchanged, token);
    };

    test.each(ROLES)('%s', async (role) => {
      if (ROLES.indexOf(role) < ROLES.indexOf(row.needs)) {
        expect(await refused(tokens[role])).toBe(403);
        return;
      }
      const request = (await row.prepare?.(scene, scene.askers[role])) ?? {};
      expect(DONE).toContain(await send(route, method, request, tokens[role]));
    });

    test('the owner of another organization', async () => {
      const status = await refused(tokens.stranger);
      expect(status).toBe(OF_THE_CALLER.includes(route.path) ? 200 : 404);
    });

    test('nobody', async () => {
      expect(await refused(null)).toBe(401);
    });

    if (name in UPLOAD_ROWS && row.isForBuilds) {
      test('a token that may only upload', async () => {
        const request = (await row.prepare?.(scene, scene.askers.member)) ?? {};
        expect(DONE).toContain(await send(route, method, request, uploadToken));
      });
    }

    test('a token of the organization, which is for builds', async () => {
      if (row.isForBuilds) {
        const request = (await row.prepare?.(scene, scene.owner)) ?? {};
        expect(DONE).toContain(await send(route, method, request, organizationToken));
        return;
      }
      const status = await refused(organizationToken);
      expect(status).toBe(route.path === '' ? 200 : 403);
    });
  });

  async function send(
    route: ApiRoute,
    method: string,
    { params: own, query = '', body: given, form }: ApiRequest,
    token: string | null,
  ): Promise<number> {
    const body = method === 'GET' ? undefined : given;
    const sent = body === undefined ? form?.() : JSON.stringify(body);
    const request = new Request(`http://127.0.0.1:1/api/0/${route.path}/?${query}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: sent,
    });
    const response = await route.handlers[method]!(request, {
      params: Promise.resolve({ ...params, ...own }),
    });
    await response.body?.cancel();
    return response.status;
  }
});
