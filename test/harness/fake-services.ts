import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.ts';

/** One message that arrived. */
export type ReceivedMessage = {
  path: string;
  headers: IncomingMessage['headers'];
  /** As it arrived. */
  text: string;
  body: Record<string, unknown>;
  /** What the documented format says against it; empty when all is right. */
  problems: readonly string[];
  atMs: number;
};

export type Answer = { status: number; headers?: Readonly<Record<string, string>>; body?: string };

export type FakeService = {
  /** Without a path and a trailing slash. */
  url: string;
  received: readonly ReceivedMessage[];
  /** The first message that fits, once there is one. */
  next(fits?: (message: ReceivedMessage) => boolean, timeoutMs?: number): Promise<ReceivedMessage>;
  /** What is answered from now on instead of what the service says when all is right; null for that. */
  answerWith(answer: Answer | null): void;
  close(): Promise<void>;
};

/**
 * A server on this machine that takes messages as a service does: what its documentation does not allow it answers with
 * the service's own error.
 */
export async function startFakeService(
  check: (message: Omit<ReceivedMessage, 'problems' | 'atMs'>) => readonly string[],
  success: Answer,
): Promise<FakeService> {
  const received: ReceivedMessage[] = [];
  let forced: Answer | null = null;
  const server: Server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const message = { path: request.url ?? '', headers: request.headers, text, body: parse(text) };
    const problems = [...checkRequest(request), ...check(message)];
    received.push({ ...message, problems, atMs: Date.now() });
    const answer = forced ?? (problems.length > 0 ? { status: 400, body: problems.join('; ') } : success);
    response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? '');
  }

  return {
    url: `http://127.0.0.1:${port}`,
    received,
    next: (fits = () => true, timeoutMs = 30_000) =>
      until('a message', () => received.find(fits) ?? null, { timeoutMs, everyMs: 20 }),
    answerWith(answer) {
      forced = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function checkRequest({ method, headers }: IncomingMessage): readonly string[] {
  const problems: string[] = [];
  if (method !== 'POST') problems.push(`${method} is no POST`);
  if (!headers['content-type']?.startsWith('application/json'))
    problems.push('the body is not said to be JSON');
  return problems;
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
