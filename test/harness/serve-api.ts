import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiRoute, listApiRoutes } from './list-api-routes.ts';

/** One request and how it was answered: `GET organizations/[org]/issues`; a path without a route stands as it was asked. */
export type ServedCall = { call: string; status: number };

export type ServedApi = AsyncDisposable & { url: string; calls: readonly ServedCall[] };

const PREFIX = '/api/0/';

/** The routes of the API on a port of their own, for programs that ask over the network. Everything else is 404. */
export async function serveApi(): Promise<ServedApi> {
  const routes = listApiRoutes().map((route) => ({ ...route, parts: route.path.split('/') }));
  const calls: ServedCall[] = [];
  const server = createServer(async (message, response) => {
    const address = new URL(message.url ?? '/', 'http://127.0.0.1');
    const asked = address.pathname.startsWith(PREFIX) ? address.pathname.slice(PREFIX.length) : null;
    const path = asked?.replace(/\/$/, '') ?? null;
    const found = path === null ? null : findRoute(routes, path.split('/'));
    const handler = found?.route.handlers[message.method ?? ''];
    const answer = handler
      ? await handler(await toRequest(message, address), { params: Promise.resolve(found?.params ?? {}) })
      : Response.json({ detail: 'No such route' }, { status: 404 });
    calls.push({
      call: `${message.method} ${handler ? found?.route.path : message.url}`,
      status: answer.status,
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Candidate = ApiRoute & { parts: readonly string[] };

/** As the framework does: names before parameters, from the left. */
function findRoute(routes: readonly Candidate[], asked: readonly string[]) {
  const fitting = routes
    .filter(({ parts }) => parts.length === asked.length)
    .filter(({ parts }) => parts.every((part, index) => part.startsWith('[') || part === asked[index]))
    .toSorted((a, b) => fixedness(b.parts).localeCompare(fixedness(a.parts)));
  const [route] = fitting;
  if (!route) return null;
  const params = Object.fromEntries(
    route.parts.flatMap((part, index) =>
      part.startsWith('[') ? [[part.slice(1, -1), decodeURIComponent(asked[index] ?? '')]] : [],
    ),
  );
  return { route, params };
}

const fixedness = (parts: readonly string[]): string =>
  parts.map((part) => (part.startsWith('[') ? '0' : '1')).join('');

async function toRequest(message: IncomingMessage, address: URL): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const hasBody = chunks.length > 0;
  return new Request(address, {
    method: message.method,
    headers: Object.entries(message.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
    ...(hasBody && { body: Buffer.concat(chunks) }),
  });
}
