import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import { provideServices } from '#product/services.ts';
import { SCOPES } from '#protocol/scopes.ts';
import { listApiRoutes, type RouteHandler } from '../../harness/list-api-routes.ts';
import { servicesOf } from '../product-services.ts';
import type { ApiRequest } from '../roles-matrix/api-row.ts';
import { API_ROWS, usualParams } from '../roles-matrix/api-rows.ts';
import { openMatrixScene } from '../roles-matrix/scene.ts';
import { fillReference } from './fill-reference.ts';

/** Names of parameters differ: `teams/{org}/{team}/` and `teams/[org]/[team]` are the same. */
const normalize = (path: string): string => path.replace(/\/$/, '').replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '{}');

/** An organization with something of everything, asked with all rights. */
export async function openReferenceScene() {
  const scene = await openMatrixScene();
  provideServices(servicesOf(scene.product));
  const { token } = await createToken(scene.owner, { name: 'Reference', scopes: SCOPES, expiresAt: null });
  const handlers = new Map<string, { name: string; path: string; handler: RouteHandler }>();
  for (const route of listApiRoutes()) {
    for (const [method, handler] of Object.entries(route.handlers)) {
      const name = `${method} ${route.path}`;
      handlers.set(`${method} ${normalize(route.path)}`, { name, path: route.path, handler });
    }
  }
  const params = await usualParams(scene);
  const find = (operation: string) => {
    const [method = '', path = ''] = operation.split(' ');
    return handlers.get(`${method} ${normalize(path)}`);
  };

  /** What the operation answers to a request that the roles are tried with too, or to the given one. */
  async function ask(operation: string, given?: ApiRequest): Promise<{ status: number; body: unknown }> {
    const found = find(operation);
    if (!found) throw new Error(`No route answers ${operation}`);
    const request = given ?? (await API_ROWS[found.name]?.prepare?.(scene, scene.owner)) ?? {};
    const [method] = found.name.split(' ');
    const body =
      request.body === undefined || method === 'GET' ? request.form?.() : JSON.stringify(request.body);
    const response = await found.handler(
      new Request(`http://127.0.0.1:1/api/0/${found.path}/?${request.query ?? ''}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        },
        body,
      }),
      { params: Promise.resolve({ ...params, ...request.params }) },
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : null };
  }

  const filled = await fillReference(scene, ask);
  return { ...scene, filled, has: (operation: string) => find(operation) !== undefined, ask };
}

export type ReferenceScene = Awaited<ReturnType<typeof openReferenceScene>>;
