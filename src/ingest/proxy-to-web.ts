import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerJson, drainRest } from './answer-ingest.ts';
import type { ClientAddress } from './client-address.ts';
import { LIMITS } from './limits.ts';

/** Connections that are kept open to the web role, and the most that may be open at once. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 32, maxSockets: 1_000 });

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** What only a trusted proxy may say. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
];

/** Passes a request to the web role on loopback and its answer back, streaming both ways; its body has a bound. */
export function proxyToWeb(
  message: IncomingMessage,
  response: ServerResponse,
  webPort: number,
  client: ClientAddress,
): void {
  if (Number(message.headers['content-length'] ?? 0) > LIMITS.proxiedBytesMax) {
    answerTooLarge(message, response);
    return;
  }
  const headers: Record<string, string | string[] | undefined> = { ...message.headers };
  for (const name of FORWARDED) if (!client.isProxied || name !== 'x-forwarded-host') delete headers[name];
  for (const name of HOP_BY_HOP) delete headers[name];
  headers['x-forwarded-for'] = client.ip ?? '';
  headers['x-forwarded-proto'] = client.protocol;

  const upstream = httpRequest(
    { host: '127.0.0.1', port: webPort, method: message.method, path: message.url, headers, agent },
    (answer) => {
      const outgoing: Record<string, string | string[] | undefined> = { ...answer.headers };
      for (const name of HOP_BY_HOP) delete outgoing[name];
      response.writeHead(answer.statusCode ?? 502, outgoing);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      // It knew enough: whoever is still sending would wait for it to read on.
      answer.on('end', () => {
        if (message.complete) return;
        message.unpipe(upstream);
        drainRest(message);
      });
    },
  );
  let isTooLarge = false;
  upstream.on('error', () => {
    if (isTooLarge) return;
    if (response.headersSent) response.destroy();
    else answerUnavailable(message, response);
  });
  response.on('close', () => upstream.destroy());
  message.on('error', () => upstream.destroy());
  let bytes = 0;
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= LIMITS.proxiedBytesMax || isTooLarge) return;
    isTooLarge = true;
    message.unpipe(upstream);
    upstream.destroy();
    if (response.headersSent) response.destroy();
    else answerTooLarge(message, response);
  });
  message.pipe(upstream);
}

function answerTooLarge(message: IncomingMessage, response: ServerResponse): void {
  const detail = `The request is larger than ${LIMITS.proxiedBytesMax} bytes: send less at once`;
  answerJson(response, 413, { detail });
  drainRest(message);
}

function answerUnavailable(message: IncomingMessage, response: ServerResponse): void {
  const detail =
    'The pages are starting or being restarted: try again in a few seconds. Events are still accepted.';
  if (message.url?.startsWith('/api/') || !message.headers.accept?.includes('text/html')) {
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '2' });
    response.end(JSON.stringify({ detail }));
    return;
  }
  response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '2' });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="2"><meta name="color-scheme" content="light dark"><title>Errata</title><body style="font:14px system-ui;margin:15vh auto;max-width:32rem;padding:0 1rem"><h1 style="font-size:20px">One moment</h1><p>${detail}</p></body></html>`,
  );
}
