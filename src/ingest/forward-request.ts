import { type Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { drainRest } from './answer-ingest.ts';
import { type BodyWatch, watchBody } from './body-watch.ts';
import type { ClientAddress } from './client-address.ts';
import { REQUEST_BOUNDS } from './request-bounds.ts';

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
/** A client that pauses for less is not called stalled. */
const STALL_GRACE_MS = 1_000;

export type Forwarded = {
  message: IncomingMessage;
  response: ServerResponse;
  client: ClientAddress;
  webPort: number;
  agent: Agent;
  body: { chunks: readonly Buffer[]; isWhole: boolean; watch: BodyWatch } | null;
  /** Whether the answer, whose head is there, may go on to the client. It waits until this is decided. */
  onHead(answer: IncomingMessage): Promise<boolean>;
  /** The client has not taken what was sent for a while, or takes it again. */
  onStalled(isStalled: boolean): void;
  /** The web role has given its whole answer. */
  onAnswered(): void;
  onTooLarge(): void;
  onUnreachable(): void;
};

/** Passes a request to the web role and streams its answer back. */
export function forwardRequest(forwarded: Forwarded): { abort(): void } {
  const { message, response, client, webPort, agent, body } = forwarded;
  let isAborted = false;
  let stopBody = () => {};
  const upstream = httpRequest(
    {
      host: '127.0.0.1',
      port: webPort,
      method: message.method,
      path: message.url,
      headers: requestHeaders(message, client, body),
      agent,
    },
    (answer) => {
      void forwarded.onHead(answer).then((mayGoOn) => {
        if (!mayGoOn || isAborted) return;
        passAnswer(answer, forwarded, () => {
          // It knew enough: whoever is still sending would wait for it to read on.
          stopBody();
          drainRest(message);
        });
      });
    },
  );
  const abort = () => {
    isAborted = true;
    stopBody();
    upstream.destroy();
  };
  upstream.on('error', () => {
    if (isAborted) return;
    stopBody();
    if (response.headersSent) response.destroy();
    else forwarded.onUnreachable();
  });
  if (!body) {
    upstream.end();
  } else if (body.isWhole) {
    upstream.end(Buffer.concat(body.chunks));
  } else {
    stopBody = passRest(message, upstream, body, forwarded.onTooLarge);
  }
  return { abort };
}

function requestHeaders(message: IncomingMessage, client: ClientAddress, body: Forwarded['body']) {
  const headers: Record<string, string | string[] | undefined> = { ...message.headers };
  for (const name of FORWARDED) if (!client.isProxied || name !== 'x-forwarded-host') delete headers[name];
  for (const name of HOP_BY_HOP) delete headers[name];
  headers['x-forwarded-for'] = client.ip ?? '';
  headers['x-forwarded-proto'] = client.protocol;
  if (body?.isWhole) {
    headers['content-length'] = String(body.chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  } else if (body && headers['content-length'] === undefined) {
    // The client frames no body of GET, HEAD, DELETE or OPTIONS by itself: it would be read as the next request.
    headers['transfer-encoding'] = 'chunked';
  }
  return headers;
}

/** The rest of a body of which the beginning is held. Gives back what stops it. */
function passRest(
  message: IncomingMessage,
  upstream: Writable,
  { chunks, watch }: NonNullable<Forwarded['body']>,
  onTooLarge: () => void,
): () => void {
  let bytes = 0;
  for (const chunk of chunks) {
    bytes += chunk.length;
    upstream.write(chunk);
  }
  const stop = pump(message, upstream, {
    onBytes(count) {
      bytes += count;
      watch.received(count);
      if (bytes <= REQUEST_BOUNDS.proxiedBytesMax) return true;
      onTooLarge();
      return false;
    },
    onHeld: () => watch.pause(),
    onFlowing: () => watch.resume(),
  });
  // What the web role makes of it then takes as long as it takes.
  message.once('end', () => watch.end());
  watch.resume();
  message.resume();
  return () => {
    stop();
    watch.end();
  };
}

function passAnswer(answer: IncomingMessage, forwarded: Forwarded, onEarlyEnd: () => void): void {
  const { message, response } = forwarded;
  // Not by `writeHead`, after which the response does not tell its headers: RequestsUnderWay asks for the type.
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
  }
  response.writeHead(answer.statusCode ?? 502);
  let graceTimer: NodeJS.Timeout | undefined;
  const watch = watchBody({ idleMs: REQUEST_BOUNDS.answerStallMs }, () => response.destroy());
  watch.pause();
  const calm = () => {
    clearTimeout(graceTimer);
    watch.pause();
    forwarded.onStalled(false);
  };
  pump(answer, response, {
    onBytes: () => true,
    onHeld() {
      watch.resume();
      graceTimer = setTimeout(() => forwarded.onStalled(true), STALL_GRACE_MS);
    },
    onFlowing: calm,
  });
  response.on('close', () => {
    clearTimeout(graceTimer);
    watch.end();
  });
  answer.on('error', () => response.destroy());
  answer.on('end', () => {
    forwarded.onAnswered();
    if (!message.complete) onEarlyEnd();
  });
}

type Pumping = {
  /** False: nothing more is passed on. */
  onBytes(count: number): boolean;
  /** The target takes no more for now. */
  onHeld(): void;
  onFlowing(): void;
};

/** As `pipe` does, and tells how it goes. Gives back what stops it. */
function pump(source: Readable, target: Writable, { onBytes, onHeld, onFlowing }: Pumping): () => void {
  let isHeld = false;
  const onData = (chunk: Buffer) => {
    if (!onBytes(chunk.length) || target.write(chunk)) return;
    isHeld = true;
    source.pause();
    onHeld();
  };
  const onDrain = () => {
    if (!isHeld) return;
    isHeld = false;
    onFlowing();
    source.resume();
  };
  const onEnd = () => target.end();
  source.on('data', onData);
  source.on('end', onEnd);
  target.on('drain', onDrain);
  return () => {
    source.removeListener('data', onData);
    source.removeListener('end', onEnd);
    target.removeListener('drain', onDrain);
  };
}
