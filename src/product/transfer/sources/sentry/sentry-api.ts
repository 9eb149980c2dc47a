import { setTimeout as delay } from 'node:timers/promises';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { forbidden, invalid, messageOf, notFound, unauthorized, unavailable } from '#lib/errors.ts';
import { guardedCall, REDIRECTS } from '#lib/guarded-request/guarded-request.ts';
import { INTERNET, type Network } from '#lib/guarded-request/network.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import { nextCursor, waitMs } from './answer-headers.ts';

/** One page of events with their bodies is the largest answer there is. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const ANSWER_TIMEOUT_MS = 2 * MINUTE_MS;
/** Of one request that fails for a reason that passes. */
const TRIES_MAX = 6;
const RETRY_MS = SECOND_MS;
/** Nothing asks for a longer wait but a clock that is wrong. */
const WAIT_MS_MAX = 15 * MINUTE_MS;
/** As many as Sentry gives at once. */
const PAGE_ROWS = 100;

/** `scope`: what the token must be allowed. `minGapMs`: from the request before. */
export type SentryRequest = {
  path: string;
  query?: Readonly<Record<string, string>>;
  scope: string;
  minGapMs?: number;
};

export type SentryPage = {
  rows: readonly unknown[];
  /** Where the next page begins; null after the last one. */
  next: string | null;
};

/**
 * The web API of a Sentry server, asked one request at a time. Throws ErrataError: 'unauthorized' for a token that it does not
 * know, 'forbidden' for one that lacks a scope, which the message names, 'not_found' for what is not there, and 'unavailable'
 * when nothing answers after several tries.
 */
export interface SentryApi {
  /** Address without a trailing slash. */
  readonly origin: string;
  get(request: SentryRequest): Promise<unknown>;
  /** `cursor` null: the first page. */
  page(request: SentryRequest, cursor: string | null): Promise<SentryPage>;
  /** Every row of every page. */
  rows(request: SentryRequest): AsyncGenerator<unknown>;
}

export type SentryApiOptions = {
  /** `https://sentry.example.com`, or one with a path before `/api/0`. */
  url: string;
  token: string;
  /** Milliseconds between two requests of any kind. */
  gapMs: number;
  /** Told when the server asks to wait for long; milliseconds. */
  onWait?: (ms: number) => void;
};

type Answer = { headers: Readonly<Record<string, string>>; body: string };

/** Throws Invalid for an address that is none. */
export function openSentryApi({ url, token, gapMs, onWait }: SentryApiOptions): SentryApi {
  const origin = readOrigin(url);
  const network = openTo(new URL(origin));
  let mayAskAt = 0;

  async function ask(request: SentryRequest, query: Readonly<Record<string, string>>): Promise<Answer> {
    const address = `${origin}/api/0${request.path}?${new URLSearchParams(query)}`;
    for (let tries = 1; ; tries++) {
      await pause(mayAskAt - Date.now());
      const answer = await guardedCall(
        address,
        {
          method: 'GET',
          headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
          body: null,
          answerBytesMax: ANSWER_BYTES_MAX,
          timeMsMax: ANSWER_TIMEOUT_MS,
        },
        network,
      );
      mayAskAt = Date.now() + Math.max(gapMs, request.minGapMs ?? 0);
      if (answer.kind === 'answered') {
        const wait = waitMs(answer.headers, Date.now());
        // Also after an answer that was given: the next request would be refused.
        if (wait > 0) mayAskAt = Math.max(mayAskAt, Date.now() + Math.min(wait, WAIT_MS_MAX));
        if (answer.status === 200) return answer;
        refuse(request, answer.status, answer.headers, answer.body);
      } else if (answer.reason === 'too_large') {
        throw new AnswerTooLarge(`${request.path}: ${answer.detail}`);
      } else if (answer.reason !== 'network' && answer.reason !== 'timeout') {
        throw invalid(`${origin} cannot be requested: ${answer.detail}`, 'url');
      }
      if (tries === TRIES_MAX) {
        const reason = answer.kind === 'answered' ? `it returns ${answer.status}` : answer.detail;
        throw unavailable(
          `${origin} is not responding to ${request.path} after ${TRIES_MAX} tries: ${reason}`,
        );
      }
      mayAskAt = Math.max(mayAskAt, Date.now() + RETRY_MS * 2 ** (tries - 1));
    }
  }

  async function pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    if (ms >= 10 * SECOND_MS) onWait?.(ms);
    await delay(ms);
  }

  function refuse(
    { path, scope }: SentryRequest,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): void {
    if (REDIRECTS.has(status)) {
      throw invalid(
        `${origin} redirects to ${headers.location ?? 'nowhere'}: name that server with --url`,
        'url',
      );
    }
    if (status === 401) {
      throw unauthorized(
        `${origin} does not accept the token: create one that is allowed ${scope} and set it again`,
      );
    }
    if (status === 403) {
      throw forbidden(
        `The token lacks the scope ${scope}, which ${path} needs: add it to the token and run this again`,
      );
    }
    if (status === 404) throw notFound(`${origin} has no ${path}`);
    if (status < 500 && status !== 429) {
      throw invalid(`${origin} returned ${status} for ${path}: ${detailOf(body)}`);
    }
  }

  async function page(request: SentryRequest, cursor: string | null): Promise<SentryPage> {
    let rowsMax = Number(request.query?.per_page ?? PAGE_ROWS);
    for (;;) {
      try {
        const query = { ...request.query, per_page: String(rowsMax), ...(cursor === null ? {} : { cursor }) };
        const { headers, body } = await ask(request, query);
        const rows = parse(request, body);
        if (!Array.isArray(rows))
          throw invalid(`${origin} returned something other than a list for ${request.path}`);
        return { rows, next: nextCursor(headers.link) };
      } catch (error) {
        if (!(error instanceof AnswerTooLarge) || rowsMax === 1) throw error;
        rowsMax = Math.ceil(rowsMax / 2);
      }
    }
  }

  const parse = (request: SentryRequest, body: string): unknown => {
    try {
      return parseBoundedJson(body);
    } catch (error) {
      throw invalid(`${origin} returned something other than JSON for ${request.path}: ${messageOf(error)}`);
    }
  };

  return {
    origin,
    page,
    get: async (request) => parse(request, (await ask(request, request.query ?? {})).body),
    async *rows(request) {
      let cursor: string | null = null;
      do {
        const { rows, next }: SentryPage = await page(request, cursor);
        yield* rows;
        // A server that gives the same cursor again would be asked forever.
        cursor = next === cursor ? null : next;
      } while (cursor !== null);
    },
  };
}

class AnswerTooLarge extends Error {}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalid(
      `"${text}" is not the address of a server: use one such as https://sentry.example.com`,
      'url',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api\/0$/, '')}`;
}

/** The operator chose the host, so it may be inside; nothing else may. */
const openTo = (chosen: URL): Network => ({
  ...INTERNET,
  isInside: (address, url) => url.host !== chosen.host && INTERNET.isInside(address, url),
});

/** What the server says, or the beginning of it. */
function detailOf(body: string): string {
  try {
    const answer = parseBoundedJson(body);
    if (typeof answer === 'object' && answer !== null && 'detail' in answer) {
      const { detail } = answer;
      return typeof detail === 'string' ? detail : JSON.stringify(detail);
    }
  } catch {
    // It is no JSON.
  }
  return body.slice(0, 200);
}
