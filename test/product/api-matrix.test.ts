import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '#app/api/0/operation.ts';
import { createToken } from '#product/accounts/create-token.ts';
import type { Context } from '#product/context.ts';
import { provideServices } from '#product/services.ts';
import { createOrganizationToken } from '#product/tokens/organization-tokens.ts';
import { expandScopes, SCOPES, type Scope } from '#protocol/scopes.ts';
import { ROLES } from '#storage/ports/accounts.ts';
import { type ApiRoute, listApiRoutes } from '../harness/list-api-routes.ts';
import { servicesOf } from './product-services.ts';
import type { ApiRequest, ApiRow } from './roles-matrix/api-row.ts';
import { API_ROWS, usualParams } from './roles-matrix/api-rows.ts';
import { type Asker, type MatrixScene, openMatrixScene } from './roles-matrix/scene.ts';
import { UPLOAD_ROWS } from './roles-matrix/upload-rows.ts';

const READ_BY_ALL: ApiRow = { needs: 'viewer' };
/** They tell whoever asks what is theirs, and name nobody's organization. */
const OF_THE_CALLER = ['', 'auth', 'organizations', 'projects'];
/** Besides their scopes they need those of the role that is given or taken. */
const OF_THE_ROLE = [
  'POST organizations/[org]/members',
  'PUT organizations/[org]/members/[member]',
  'DELETE organizations/[org]/members/[member]',
];
const DONE = [200, 201, 202, 204];

const routes = await listApiRoutes();
const seen = new Set<Operation | undefined>();
const cases = routes.flatMap((route) =>
  Object.entries(route.handlers).map(([method, { operation }]) => {
    // Another path to the same endpoint: who may use the one may use the other.
    const isAlias = seen.has(operation);
    seen.add(operation);
    return { name: `${method} ${route.path}`, method, route, isAlias };
  }),
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
  const tokenOf = async (ctx: Context, scopes: readonly Scope[] = SCOPES) =>
    (await createToken(ctx, { name: 'Matrix', scopes, expiresAt: null })).token;
  beforeAll(async () => {
    scene = await openMatrixScene();
    provideServices(servicesOf(scene.product));
    tokens = {} as typeof tokens;
    for (const [asker, ctx] of Object.entries({ ...scene.askers, stranger: scene.stranger })) {
      tokens[asker as Asker] = await tokenOf(ctx);
    }
    uploadToken = await tokenOf(scene.askers.member, ['project:releases']);
    organizationToken = (await createOrganizationToken(scene.owner, { name: 'Build' })).token;
    params = await usualParams(scene);
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  describe.each(cases)('$name', ({ name, method, route, isAlias }) => {
    const row = API_ROWS[name] ?? READ_BY_ALL;
    let unchanged: ApiRequest | null = null;
    /** Whoever is refused changes nothing, so that one request serves all of them. */
    const refused = async (token: string | null) => {
      unchanged ??= (await row.prepare?.(scene, scene.owner)) ?? {};
      return send(route, method, unchanged, token);
    };

    test.each(isAlias ? (['owner'] as const) : ROLES)('%s', async (role) => {
      if (ROLES.indexOf(role) < ROLES.indexOf(row.needs)) {
        expect(await refused(tokens[role])).toBe(403);
        return;
      }
      const request = (await row.prepare?.(scene, scene.askers[role])) ?? {};
      const { operation } = route.handlers[method]!;
      const isEnough = role === 'owner' && !OF_THE_ROLE.includes(name);
      const token = isEnough ? await tokenWithDeclared(operation!) : tokens[role];
      const response = await answer(route, method, request, token);
      expect(DONE).toContain(response.status);
      if (role === 'owner') await expectDeclared(response, operation!);
      else await response.body?.cancel();
    });

    test('a token with every scope but those that it declares', async () => {
      const { scopes } = route.handlers[method]!.operation!;
      if (scopes.length > 0) expect(await refused(await tokenWithout(scopes))).toBe(403);
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

  /** The first of those that are enough, with those that are needed as well. */
  const tokenWithDeclared = ({ scopes, alsoScopes = [] }: Operation): Promise<string> =>
    tokenWith([...scopes.slice(0, 1), ...alsoScopes]);

  const tokenWithout = (scopes: readonly Scope[]): Promise<string> =>
    tokenWith(SCOPES.filter((scope) => scopes.every((each) => !expandScopes([scope]).has(each))));

  const byScopes = new Map<string, Promise<string>>();
  /** Of the owner, who may do everything; none of them stands for all. */
  function tokenWith(scopes: readonly Scope[]): Promise<string> {
    const key = scopes.join();
    const made = byScopes.get(key) ?? tokenOf(scene.askers.owner, scopes.length === 0 ? SCOPES : scopes);
    byScopes.set(key, made);
    return made;
  }

  /** Nothing is answered that the OpenAPI document does not tell, and nothing that it tells is missing. */
  async function expectDeclared(response: Response, operation: Operation): Promise<void> {
    const usual = operation.status ?? (operation.answer === null ? 204 : 200);
    expect([usual, operation.otherStatus]).toContain(response.status);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (operation.answer === 'file') return;
    const body = isJson ? await response.json() : null;
    if (operation.answer === null || response.status === 204) return expect(body).toBeNull();
    expect(operation.answer.parse(body)).toEqual(body);
  }

  async function send(...asked: Parameters<typeof answer>): Promise<number> {
    const response = await answer(...asked);
    await response.body?.cancel();
    return response.status;
  }

  async function answer(
    route: ApiRoute,
    method: string,
    { params: own, query = '', body: given, form }: ApiRequest,
    token: string | null,
  ): Promise<Response> {
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
    return route.handlers[method]!(request, { params: Promise.resolve({ ...params, ...own }) });
  }
});
