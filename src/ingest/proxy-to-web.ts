import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { addressGroup } from '#lib/client-address.ts';
import { LIVE_BUSY_CODE } from '#lib/live-busy.ts';
import { answerJson, drainRest } from './answer-ingest.ts';
import type { BodyWatch } from './body-watch.ts';
import type { ClientAddress } from './client-address.ts';
import { forwardRequest } from './forward-request.ts';
import { HeldBodies, type HeldBody, holdBody } from './hold-body.ts';
import { Lane, type LaneClient, type LaneRefusal, type LaneSlot, type LaneUse } from './lane.ts';
import { REQUEST_BOUNDS } from './request-bounds.ts';
import { isLivePath, LANE_LIMITS, type LaneName, sessionOf } from './web-lanes.ts';

type WebProxyFigures = Record<LaneName, { active: number; waiting: number }>;

/**
 * Passes requests to the web role on loopback and its answers back. Nobody holds a connection to it by being slow: small
 * bodies are complete before they take one, and each lane shares its own among clients.
 */
export class WebProxy {
  readonly #lanes: Readonly<Record<LaneName, Lane>> = {
    pages: new Lane(LANE_LIMITS.pages, 'stalled'),
    uploads: new Lane(LANE_LIMITS.uploads, 'stalled'),
    live: new Lane(LANE_LIMITS.live, 'oldest'),
  };
  readonly #agents: Readonly<Record<LaneName, Agent>> = {
    pages: createAgent('pages'),
    uploads: createAgent('uploads'),
    live: createAgent('live'),
  };
  readonly #holds = new HeldBodies(REQUEST_BOUNDS.heldBodiesBytesMax);
  readonly #onRefused: (lane: LaneName, busy: LaneRefusal['busy']) => void;

  constructor(onRefused: (lane: LaneName, busy: LaneRefusal['busy']) => void = () => {}) {
    this.#onRefused = onRefused;
  }

  get figures(): WebProxyFigures {
    const of = ({ active, waiting }: Lane) => ({ active, waiting });
    return { pages: of(this.#lanes.pages), uploads: of(this.#lanes.uploads), live: of(this.#lanes.live) };
  }

  async pass(message: IncomingMessage, response: ServerResponse, client: ClientAddress, webPort: number) {
    if (Number(message.headers['content-length'] ?? 0) > REQUEST_BOUNDS.proxiedBytesMax) {
      refuseTooLarge(message, response);
      return;
    }
    const exchange = new Exchange(message, response);
    const laneClient = { address: addressGroup(client.ip), session: sessionOf(message.headers) };
    const body = hasBody(message) ? await this.#hold(exchange, laneClient) : null;
    if (body && body.kind !== 'held') {
      if (body.kind === 'refused') exchange.refuse(body.status, body.detail);
      return;
    }
    const name = nameLane(message, body);
    const slot = await this.#enter(name, laneClient, exchange, body?.watch);
    if (!slot) return;
    // Held by the lane from here on, which has fewer places.
    body?.release();
    const forwarding = forwardRequest({
      message,
      response,
      client,
      webPort,
      agent: this.#agents[name],
      body,
      onHead: (answer) => this.#moveEndless(answer, name, laneClient, exchange),
      onStalled: (isStalled) => exchange.slot?.setStalled(isStalled),
      onAnswered: () => exchange.leave(),
      onTooLarge: () => exchange.abort(() => refuseTooLarge(message, response)),
      onUnreachable: () => {
        exchange.leave();
        refusePage(message, response, 503, STARTING, RESTART_SECONDS);
      },
    });
    exchange.onAbort(forwarding.abort);
  }

  async #hold(exchange: Exchange, { address }: LaneClient): Promise<HeldBody> {
    const body = await holdBody(exchange.message, this.#holds, address, ({ status, detail }) =>
      exchange.abort(() => exchange.refuse(status, detail)),
    );
    if (body.kind === 'held') {
      // While it waits for its turn nobody reads on.
      body.watch.pause();
      exchange.response.on('close', () => {
        body.watch.end();
        body.release();
      });
      if (body.isWhole) body.watch.end();
    }
    return body;
  }

  async #enter(
    name: LaneName,
    client: LaneClient,
    exchange: Exchange,
    watch?: BodyWatch,
  ): Promise<LaneSlot | null> {
    const code = name === 'live' ? LIVE_BUSY_CODE : undefined;
    const turnAway = (status: 429 | 503, detail: string) =>
      exchange.abort(() =>
        refusePage(exchange.message, exchange.response, status, detail, BUSY_SECONDS[name], code),
      );
    const use: LaneUse = {
      giveUp: () => turnAway(503, name === 'uploads' ? TOO_SLOW : BUSY.server),
      ...(watch && { bytesPerSecond: watch.bytesPerSecond }),
    };
    const result = await this.#lanes[name].enter(client, use, exchange.signal);
    if ('busy' in result) {
      if (exchange.signal.aborted) return null;
      this.#onRefused(name, result.busy);
      turnAway(result.busy === 'server' ? 503 : 429, BUSY[result.busy]);
      return null;
    }
    return exchange.take(result) ? result : null;
  }

  /** An answer that does not end by itself keeps no place of those that do, whatever its path was. */
  async #moveEndless(answer: IncomingMessage, from: LaneName, client: LaneClient, exchange: Exchange) {
    const isEndless = answer.headers['content-type']?.startsWith('text/event-stream');
    if (!isEndless || from === 'live') return true;
    return (await this.#enter('live', client, exchange)) !== null;
  }
}

/** One request on its way: what it holds, and how it ends before its answer. */
class Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  slot: LaneSlot | null = null;
  readonly #controller = new AbortController();
  #abort: () => void = () => {};

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.message = message;
    this.response = response;
    message.on('error', () => {});
    response.on('close', () => {
      this.#controller.abort();
      this.#abort();
      this.leave();
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  onAbort(abort: () => void): void {
    this.#abort = abort;
    if (this.signal.aborted) abort();
  }

  /** In place of the one that it has. False when the client has gone. */
  take(slot: LaneSlot): boolean {
    this.leave();
    if (this.signal.aborted) slot.leave();
    else this.slot = slot;
    return !this.signal.aborted;
  }

  leave(): void {
    this.slot?.leave();
    this.slot = null;
  }

  /** Ends what was begun; `answer` says why when that can still be said. */
  abort(answer: () => void): void {
    // Nor does it take a slot while its last answer is on the way.
    this.#controller.abort();
    this.#abort();
    this.leave();
    if (this.response.headersSent) this.response.destroy();
    else answer();
  }

  refuse(status: number, detail: string): void {
    const retry = status === 503 && { 'retry-after': String(REQUEST_BOUNDS.retryAfterSeconds) };
    answerJson(this.response, status, { detail }, { connection: 'close', ...retry });
  }
}

const createAgent = (name: LaneName): Agent =>
  new Agent({ keepAlive: name !== 'live', maxFreeSockets: 32, maxSockets: LANE_LIMITS[name].totalMax });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function nameLane(message: IncomingMessage, body: Extract<HeldBody, { kind: 'held' }> | null): LaneName {
  if (body && !body.isWhole) return 'uploads';
  return isLivePath(message.url ?? '') ? 'live' : 'pages';
}

function refuseTooLarge(message: IncomingMessage, response: ServerResponse): void {
  const detail = `The request is larger than ${REQUEST_BOUNDS.proxiedBytesMax} bytes: send less per request`;
  answerJson(response, 413, { detail });
  drainRest(message);
}

const RESTART_SECONDS = 2;
const STARTING =
  'The web interface is starting or restarting: try again in a few seconds. Events are still accepted.';
const BUSY = {
  session: 'Too many requests in progress for this session or token: try again in a few seconds.',
  address: 'Too many requests in progress from your network: try again in a few seconds.',
  server: 'Too many requests in progress: try again in a few seconds. Events are still accepted.',
} as const;
const TOO_SLOW = 'This upload is slow and others are waiting: try again in a few seconds.';
const BUSY_SECONDS: Readonly<Record<LaneName, number>> = { pages: 5, uploads: 5, live: 30 };

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
