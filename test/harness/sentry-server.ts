import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a path answers: rows that are paged, one object, or what to do instead. */
export type SentryAnswer =
  | readonly unknown[]
  | Readonly<Record<string, unknown>>
  | ((
      request: IncomingMessage,
    ) => { status: number; headers?: Record<string, string>; body?: unknown } | undefined);

/**
 * A server that speaks Sentry's API as it is documented: bearer tokens, `Link` headers with cursors `0:<offset>:0`, pages of
 * `per_page` rows. Paths are those behind `/api/0`; what is not listed is 404. A function that answers undefined passes on to the
 * path with `rows:` before it.
 * Source: https://docs.sentry.io/api/pagination/
 */
export async function startSentryServer(token: string, answers: Readonly<Record<string, SentryAnswer>>) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://server');
    const path = url.pathname.replace(/^\/api\/0/, '');
    requests.push(`${path}${url.search}`);
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) return send(401, { detail: 'Invalid token' });
    let answer = answers[path];
    if (typeof answer === 'function') {
      const own = answer(request);
      if (own) return send(own.status, own.body ?? {}, own.headers);
      answer = answers[`rows:${path}`];
    }
    if (answer === undefined) return send(404, { detail: 'The requested resource does not exist' });
    if (!Array.isArray(answer)) return send(200, answer);
    const offset = Number(url.searchParams.get('cursor')?.split(':')[1] ?? 0);
    const size = Number(url.searchParams.get('per_page') ?? 100);
    const end = offset + size;
    const link = (rel: string, results: boolean, at: number) =>
      `<${url.href}>; rel="${rel}"; results="${results}"; cursor="0:${at}:${rel === 'next' ? 0 : 1}"`;
    return send(200, answer.slice(offset, end), {
      link: [
        link('previous', offset > 0, Math.max(0, offset - size)),
        link('next', end < answer.length, end),
      ].join(', '),
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
