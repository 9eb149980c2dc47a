import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '#app/api/0/operation.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import type { Context } from '#product/context.ts';
import { provideServices } from '#product/services.ts';
import { createOrganizationToken } from '#product/tokens/organization-tokens.ts';
import { expandScopes, SCOPES, type Scope } from '#protocol/scopes.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { type ApiRoute, listApiRoutes } from '../harness/list-api-routes.ts';
import { servicesOf } from './product-services.ts';
import type { ApiRequest, ApiRow } from './roles-matrix/api-row.ts';
import { API_ROWS, usualParams } from './roles-matrix/api-rows.ts';
import { API_SCOPES, type ApiScope } from './roles-matrix/api-scopes.ts';
import { BOUND_ROLES, type ClosedScene, openClosedScene } from './roles-matrix/closed-scene.ts';
import {
  ASKERS,
  type Asker,
  type Joined,
  MAILER,
  type MatrixScene,
  openMatrixScene,
} from './roles-matrix/scene.ts';
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
/** How an endpoint answers for a project that is not there, where that is not 404: sentry-cli shows the words of a 400. */
const UNKNOWN_AS: Readonly<Record<string, number>> = {
  'POST organizations/[org]/artifactbundle/assemble': 400,
};

const routes = listApiRoutes();
const seen = new Set<Operation | undefined>();
const cases = routes.flatMap((route) =>
  Object.entries(route.handlers).map(([method, { operation }]) => {
    // Another path to the same endpoint: who may use the one may use the other.
    const isAlias = seen.has(operation);
    seen.add(operation);
    return {
      name: `${method} ${route.path}`,
      method,
      route,
      isAlias,
      isSample: IS_FULL || seen.size % 4 === 0,
    };
  }),
);

const boundCases = cases.flatMap((each) => {
  const row = API_ROWS[each.name] ?? READ_BY_ALL;
  const needs = BOUND_ROLES.find((role) => role === row.needs);
  return needs ? [{ ...each, needs, row }] : [];
});

test('every method that changes something has a row, and every row a method', () => {
  const names = cases.map(({ name }) => name);
  expect(
    names.filter((name) => !name.startsWith('GET ') && !(name in API_ROWS)),
    'Say in test/product/roles-matrix/api-rows.ts what each of these needs',
  ).toEqual([]);
  expect(Object.keys(API_ROWS).filter((name) => !names.includes(name))).toEqual([]);
});

test('what those may do who see the projects of their teams only has a scope, and only that', () => {
  const scoped: readonly string[] = Object.values(API_SCOPES).flat();
  const names = boundCases.map(({ name }) => name);
  expect(
    names.filter((name) => !scoped.includes(name)),
    'Say in test/product/roles-matrix/api-scopes.ts which part of an organization each of these concerns',
  ).toEqual([]);
  expect(scoped.filter((name, index) => !names.includes(name) || scoped.indexOf(name) !== index)).toEqual([]);
});

describe('role × method × route', () => {
  let scene: MatrixScene;
  let tokens: Record<Asker | 'stranger', string>;
  let organizationToken: string;
  let uploadToken: string;
  let params: Readonly<Record<string, string>>;
  beforeAll(async () => {
    scene = await openMatrixScene();
    provideServices({ ...servicesOf(scene.product), mailer: MAILER });
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

  // Another path to the same endpoint asks for the same rights: a part of them shows that paths lead there.
  const tried = cases.filter(({ isAlias, isSample }) => !isAlias || isSample);
  describe.each(tried)('$name', ({ name, method, route, isAlias, isSample }) => {
    const row = API_ROWS[name] ?? READ_BY_ALL;
    let unchanged: ApiRequest | null = null;
    /** Whoever is refused changes nothing, so that one request serves all of them. */
    const refused = async (token: string | null) => {
      unchanged ??= (await row.prepare?.(scene, scene.owner)) ?? {};
      return send(route, method, unchanged, token);
    };

    const fullest: Asker = row.needs === 'instance_owner' ? row.needs : 'owner';
    const upToFullest = ASKERS.slice(0, ASKERS.indexOf(fullest) + 1);
    // What each role may is tried with the verbs: here, that an endpoint asks for its verb.
    const below = ASKERS.slice(Math.max(0, ASKERS.indexOf(row.needs) - 1), ASKERS.indexOf(row.needs));
    const askers: readonly Asker[] = isAlias ? [fullest] : IS_FULL ? upToFullest : [...below, fullest];
    test.each(askers)('%s', async (role) => {
      if (ASKERS.indexOf(role) < ASKERS.indexOf(row.needs)) {
        expect(await refused(tokens[role])).toBe(403);
        return;
      }
      const request = (await row.prepare?.(scene, scene.askers[role])) ?? {};
      const { operation } = route.handlers[method]!;
      const isEnough = role === fullest && !OF_THE_ROLE.includes(name);
      const token = isEnough ? await tokenWithDeclared(operation!, fullest) : tokens[role];
      const response = await answer(route, method, request, token);
      expect(DONE).toContain(response.status);
      if (role === fullest) await expectDeclared(response, operation!);
      else await response.body?.cancel();
    });

    test('the owner of another organization', async () => {
      const status = await refused(tokens.stranger);
      if (!OF_THE_CALLER.includes(route.path)) expect(status).toBe(404);
      else expect(status).toBe(row.needs === 'instance_owner' ? 403 : 200);
    });

    if (name in UPLOAD_ROWS && row.isForBuilds) {
      test('a token that may only upload', async () => {
        const request = (await row.prepare?.(scene, scene.askers.member)) ?? {};
        expect(DONE).toContain(await send(route, method, request, uploadToken));
      });
    }

    if (row.isForBuilds) {
      test('a token of the organization, which is for builds', async () => {
        const request = (await row.prepare?.(scene, scene.owner)) ?? {};
        expect(DONE).toContain(await send(route, method, request, organizationToken));
      });
    }

    // One function asks for the token of every endpoint: here for one in four, and for all of them in the full run.
    if (!isSample) return;

    test('a token with every scope but those that it declares', async () => {
      const { scopes } = route.handlers[method]!.operation!;
      if (scopes.length > 0) expect(await refused(await tokenWithout(scopes, fullest))).toBe(403);
    });

    test('nobody', async () => {
      expect(await refused(null)).toBe(401);
    });

    if (!row.isForBuilds) {
      test('a token of the organization, which is for builds', async () => {
        expect(await refused(organizationToken)).toBe(route.path === '' ? 200 : 403);
      });
    }
  });

  /** The first of those that are enough, with those that are needed as well. */
  const tokenWithDeclared = ({ scopes, alsoScopes = [] }: Operation, asker: Asker): Promise<string> =>
    tokenWith([...scopes.slice(0, 1), ...alsoScopes], asker);

  const tokenWithout = (scopes: readonly Scope[], asker: Asker): Promise<string> =>
    tokenWith(
      SCOPES.filter((scope) => scopes.every((each) => !expandScopes([scope]).has(each))),
      asker,
    );

  const byScopes = new Map<string, Promise<string>>();
  /** Of the owner, who may do everything in the organization; none of them stands for all. */
  function tokenWith(scopes: readonly Scope[], asker: Asker = 'owner'): Promise<string> {
    const key = [asker, ...scopes].join();
    const made = byScopes.get(key) ?? tokenOf(scene.askers[asker], scopes.length === 0 ? SCOPES : scopes);
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

  const answer = (...asked: RequestParts) => ask(params, ...asked);

  async function send(...asked: RequestParts): Promise<number> {
    const response = await answer(...asked);
    await response.body?.cancel();
    return response.status;
  }
});

describe('closed membership × role × method × route', () => {
  let scene: ClosedScene;
  let params: Readonly<Record<string, string>>;
  let tokens: Map<Context, string>;
  beforeAll(async () => {
    scene = await openClosedScene();
    provideServices({ ...servicesOf(scene.product), mailer: MAILER });
    params = await usualParams(scene);
    tokens = new Map();
    const people = [...Object.values(scene.inside), ...Object.values(scene.outside), scene.askers.manager];
    for (const ctx of people) tokens.set(ctx, await tokenOf(ctx));
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  // Each verb hides what is another team's: here one endpoint of each kind, and all of them in the full run.
  describe.each(IS_FULL ? boundCases : boundCases.filter((_, index) => index % 5 === 0))(
    '$name',
    ({ name, method, route, isAlias, needs, row }) => {
      const scope = scopeOf(name);
      const call = async (ctx: Joined): Promise<{ status: number; text: string }> => {
        const request = (await row.prepare?.(scene, ctx)) ?? {};
        const response = await ask(params, route, method, request, tokens.get(ctx) ?? null);
        return { status: response.status, text: await response.text() };
      };

      // That the team may is tried with the verbs.
      if (IS_FULL && !isAlias) {
        test(`a ${needs} of the team, and a manager of none`, async () => {
          for (const ctx of [scene.inside[needs], scene.askers.manager]) {
            expect(DONE).toContain((await call(ctx)).status);
          }
        });
      }

      test.each(isAlias || !IS_FULL ? [needs] : BOUND_ROLES)('a %s of another team', async (role) => {
        const { status, text } = await call(scene.outside[role]);
        const isEnough = BOUND_ROLES.indexOf(role) >= BOUND_ROLES.indexOf(needs);
        const unknownAs = UNKNOWN_AS[name] ?? 404;
        if (!isEnough) return expect([403, unknownAs]).toContain(status);
        if (scope === 'project') return expect(status).toBe(unknownAs);
        expect(DONE).toContain(status);
        expect(scene.findHidden(text)).toBeNull();
      });

      if (IS_FULL && scope === 'list' && method === 'GET' && !isAlias) {
        test('tells the team more', async () => {
          expect((await call(scene.inside[needs])).text).not.toBe((await call(scene.outside[needs])).text);
        });
      }
    },
  );
});

const scopeOf = (name: string): ApiScope =>
  (Object.keys(API_SCOPES) as ApiScope[]).find((scope) =>
    (API_SCOPES[scope] as readonly string[]).includes(name),
  )!;

const tokenOf = async (ctx: Context, scopes: readonly Scope[] = SCOPES): Promise<string> =>
  (await createToken(ctx, { name: 'Matrix', scopes, expiresAt: null })).token;

type RequestParts = [route: ApiRoute, method: string, request: ApiRequest, token: string | null];

/** `usual`: what the dynamic parts of a path are where the request does not say. */
async function ask(
  usual: Readonly<Record<string, string>>,
  ...[route, method, { params: own, query = '', body: given, form }, token]: RequestParts
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
  const known = { ...usual, ...own };
  const names = [...route.path.matchAll(/\[(\w+)\]/g)].map(([, name]) => name!);
  return route.handlers[method]!(request, {
    params: Promise.resolve(Object.fromEntries(names.map((name) => [name, known[name] ?? '']))),
  });
}
