import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import { provideServices } from '#product/services.ts';
import { SCOPES } from '#protocol/scopes.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { type ApiRoute, listApiRoutes } from '../harness/list-api-routes.ts';
import { servicesOf } from './product-services.ts';
import { API_ROWS, usualParams } from './roles-matrix/api-rows.ts';
import { type MatrixScene, openMatrixScene } from './roles-matrix/scene.ts';

/** In the full run also a text that is nothing else, and half a surrogate pair, which `in the body` always has. */
const HOSTILE = IS_FULL ? ['\0', 'a\0b', '\ud83d'] : ['a\0b'];
/** Of the endpoints, which read their parameters with the same schemas, every so many in the short run. */
const EVERY = IS_FULL ? 1 : 12;
const routes = listApiRoutes();
const cases = routes.flatMap((route) =>
  Object.keys(route.handlers).map((method) => ({ name: `${method} ${route.path}`, method, route })),
);

let scene: MatrixScene;
let token: string;
let params: Readonly<Record<string, string>>;
beforeAll(async () => {
  scene = await openMatrixScene();
  provideServices(servicesOf(scene.product));
  token = (await createToken(scene.owner, { name: 'Malformed', scopes: SCOPES, expiresAt: null })).token;
  params = await usualParams(scene);
});
afterAll(async () => {
  await scene?.product.close();
});

async function statusOf(
  { handlers, path }: ApiRoute,
  method: string,
  asked: { params?: Readonly<Record<string, string>>; query?: URLSearchParams; body?: string },
): Promise<number> {
  const request = new Request(`http://127.0.0.1:1/api/0/${path}/?${asked.query ?? ''}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: asked.body,
  });
  const response = await handlers[method]!(request, {
    params: Promise.resolve({ ...params, ...asked.params }),
  });
  await response.body?.cancel();
  return response.status;
}

const dynamicParts = ({ path }: ApiRoute): string[] =>
  [...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => name!);

/** The server refuses such addresses before; nothing behind may rely on that. */
describe('U+0000 and half surrogate pairs are never a defect of the server', () => {
  const reads = cases.filter(({ method }, index) => method === 'GET' && index % EVERY === 0);
  test.each(reads)('in the path and the query: $name', async ({ name, route }) => {
    const prepared = (await API_ROWS[name]?.prepare?.(scene, scene.owner)) ?? {};
    const query = Object.keys(route.handlers.GET!.operation?.query ?? {});
    const answers: [string, number][] = [];
    for (const text of HOSTILE) {
      for (const part of dynamicParts(route)) {
        const own = { ...prepared.params, [part]: text };
        answers.push([part, await statusOf(route, 'GET', { params: own })]);
      }
      for (const parameter of query) {
        const asked = new URLSearchParams([[parameter, text]]);
        answers.push([parameter, await statusOf(route, 'GET', { params: prepared.params, query: asked })]);
      }
    }
    expect(answers.filter(([, status]) => status >= 500)).toEqual([]);
  });

  const changes = cases.filter(({ method }, index) => method !== 'GET' && index % EVERY === 0);
  test.each(changes)('in the body: $name', async ({ name, method, route }) => {
    const { params: own, body } = (await API_ROWS[name]?.prepare?.(scene, scene.owner)) ?? {};
    const sent = [withText(body ?? {}, 'a\ud83d'), withText(body ?? {}, '\0'), { name: '\0', 'x\0': 1 }];
    for (const each of sent.slice(0, IS_FULL ? 3 : 2)) {
      const status = await statusOf(route, method, { params: own, body: JSON.stringify(each) });
      expect(status).toBeLessThan(500);
      if (route.handlers[method]!.operation?.body && route.handlers[method]!.operation?.body !== 'form') {
        expect(status).toBeGreaterThanOrEqual(400);
      }
    }
  });
});

test('PostgreSQL tells what it cannot keep from a defect', async () => {
  const { pool } = scene.product;
  for (const [type, value] of [
    ['text', 'a\0'],
    ['jsonb', '{"a":"\\u0000"}'],
    ['jsonb', '{"a":"\\ud83d"}'],
    ['json', '{"a":"\\ud83d"}'],
  ]) {
    const asked = pool.query(`SELECT to_jsonb($1::${type}) ->> 'a'`, [value]);
    await expect(asked).rejects.toMatchObject({ name: 'ErrataError', code: 'invalid' });
  }
  await expect(pool.query("SELECT 'x'::integer")).rejects.toMatchObject({ code: '22P02' });
});

/** The value with the text at the end of every text in it; alone when it has none. */
function withText(value: unknown, text: string): unknown {
  if (typeof value === 'string') return `${value}${text}`;
  if (Array.isArray(value)) return [...value.map((each) => withText(each, text)), text];
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, withText(field, text)] as const);
  return Object.fromEntries([...fields, ['unknown', text]]);
}
