import { request as httpRequest } from 'node:http';
import { authHeader, type Dsn } from './envelope.ts';

/** What came of a body that was sent until somebody had enough. Status 0: no answer came. */
export type StreamedAnswer = { status: number; body: unknown; sentBytes: number };

/**
 * Streams `start` and then the same block again and again as an envelope's body, until the server answers or hangs up.
 */
export function streamBody(
  dsn: Dsn,
  body: { start: Uint8Array | string; block: Uint8Array; blocks: number },
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamedAnswer> {
  return new Promise((resolve) => {
    let sentBytes = 0;
    let isOver = false;
    const request = httpRequest(`${dsn.origin}/api/${dsn.projectId}/envelope/`, {
      method: 'POST',
      headers: { 'x-sentry-auth': authHeader(dsn), ...headers },
    });
    const finish = (status: number, text: string) => {
      if (isOver) return;
      isOver = true;
      request.destroy();
      resolve({ status, body: parse(text), sentBytes });
    };
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => finish(response.statusCode ?? 0, text));
      response.on('error', () => finish(response.statusCode ?? 0, text));
    });
    request.on('error', (error) => setTimeout(() => finish(0, JSON.stringify(String(error))), 500));
    const pump = (blocksLeft: number) => {
      if (isOver || request.destroyed) return;
      if (blocksLeft === 0) return request.end();
      sentBytes += body.block.length;
      if (request.write(body.block)) setImmediate(pump, blocksLeft - 1);
      else request.once('drain', () => pump(blocksLeft - 1));
    };
    request.write(body.start);
    pump(body.blocks);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
