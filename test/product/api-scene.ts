import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import type { Context } from '#product/context.ts';
import { provideServices } from '#product/services.ts';
import { SCOPES } from '#protocol/scopes.ts';
import { type ApiRoute, listApiRoutes } from '../harness/list-api-routes.ts';
import { openProduct } from './open-product.ts';
import { servicesOf } from './product-services.ts';

export type ApiQuestion = {
  params?: Readonly<Record<string, string>>;
  query?: string;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  /** In place of JSON. */
  body?: FormData | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** Of whoever asks; of somebody with all rights otherwise. */
  token?: string;
};

export type ApiScene = Awaited<ReturnType<typeof openApiScene>>;

/** An organization with the projects `web` and `api`, and its routes of the API, called as the framework calls them. */
export async function openApiScene() {
  const product = await openProduct();
  provideServices(servicesOf(product));
  const routes = new Map(listApiRoutes().map((route) => [route.path, route.handlers]));
  const mine = await product.createOrganization();
  const web = await product.createProject(mine, 'web');
  const api = await product.createProject(mine, 'api');
  const owner = await product.join(mine, 'owner');
  const tokenOf = async (ctx: Context, scopes: readonly string[] = SCOPES): Promise<string> =>
    (await createToken(ctx, { name: 'Test', scopes, expiresAt: null })).token;
  const ownerToken = await tokenOf(owner);

  async function ask(method: string, path: string, question: ApiQuestion = {}): Promise<Response> {
    const { params, query = '', headers, json, body, token = ownerToken } = question;
    const handler = (routes.get(path) as ApiRoute['handlers'] | undefined)?.[method];
    if (!handler) throw new Error(`No route answers ${method} ${path}`);
    const request = new Request(`http://127.0.0.1:1/api/0/${path}/?${query}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
      duplex: 'half',
    } as RequestInit);
    return handler(request, { params: Promise.resolve({ org: mine.slug, project: web.slug, ...params }) });
  }

  /** The answer as JSON with its status. */
  async function answer<Body>(
    method: string,
    path: string,
    question: ApiQuestion = {},
  ): Promise<[number, Body]> {
    const response = await ask(method, path, question);
    const text = await response.text();
    return [response.status, (text === '' ? null : JSON.parse(text)) as Body];
  }

  return { product, mine, web, api, owner, tokenOf, ask, answer, close: () => product.close() };
}

/** A form with one file, and fields behind it as sentry-cli sends them. */
export function formWith(
  file: { field?: string; name: string; content: string | Uint8Array },
  fields: readonly (readonly [string, string])[] = [],
): FormData {
  const form = new FormData();
  form.append(file.field ?? 'file', new Blob([new Uint8Array(Buffer.from(file.content))]), file.name);
  for (const [name, value] of fields) form.append(name, value);
  return form;
}
