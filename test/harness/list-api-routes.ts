import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Operation } from '#app/api/0/operation.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../src/app/api/0');

export type RouteHandler = ((
  request: Request,
  context: { params: Promise<Readonly<Record<string, string>>> },
) => Promise<Response>) & { readonly operation?: Operation };

export type ApiRoute = {
  /** As the folders have it: `organizations/[org]/members`; empty for the root. */
  path: string;
  /** Methods that the route answers. */
  handlers: Readonly<Record<string, RouteHandler>>;
};

/** Without a method to ask: it answers everybody. */
const DOCUMENT = 'openapi.json/route.ts';

/** Every route of the API but the one that catches the rest, and the document. */
export async function listApiRoutes(): Promise<readonly ApiRoute[]> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'route.ts' && !file.includes('[...') && file !== DOCUMENT)
    .sort();
  return Promise.all(
    files.map(async (file) => {
      const module = (await import(pathToFileURL(path.join(FOLDER, file)).href)) as Record<
        string,
        RouteHandler
      >;
      const allowed = await listMethods(module);
      const handlers = Object.fromEntries(allowed.map((method) => [method, module[method]!]));
      return { path: path.dirname(file).replace(/^\.$/, ''), handlers };
    }),
  );
}

/** A method without an endpoint says which there are. */
async function listMethods(module: Readonly<Record<string, RouteHandler>>): Promise<readonly string[]> {
  const answer = await module.PATCH!(new Request('http://127.0.0.1/', { method: 'PATCH' }), {
    params: Promise.resolve({}),
  });
  if (answer.status !== 405) throw new Error('A route with PATCH: this list does not know how to ask it');
  return (answer.headers.get('allow') ?? '').split(', ');
}
