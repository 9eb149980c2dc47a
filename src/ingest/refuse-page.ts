import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, drainRest } from './answer-ingest.ts';

/** Answers for the web role when it cannot: a page for browsers, which asks again by itself, and JSON for programs, with the `code` if any. */
export function refusePage(
  message: IncomingMessage,
  response: ServerResponse,
  status: 429 | 503,
  detail: string,
  retrySeconds: number,
  code?: string,
): void {
  const isPage = !message.url?.startsWith('/api/') && message.headers.accept?.includes('text/html');
  if (isPage) {
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'retry-after': String(retrySeconds),
    });
    response.end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${retrySeconds}"><meta name="color-scheme" content="light dark"><title>Errata</title><body style="font:14px system-ui;margin:15vh auto;max-width:32rem;padding:0 1rem"><h1 style="font-size:20px">One moment</h1><p>${detail}</p></body></html>`,
    );
  } else {
    answerJson(response, status, { detail, code }, { 'retry-after': String(retrySeconds) });
  }
  drainRest(message);
}
