import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { FRESH_MS, PREFETCHES_IN_FLIGHT_MAX, ROUTE_LOAD_TIMEOUT_MS } from './limits.ts';
import { RouteCancelledError, RouteLoadError } from './navigation-errors.ts';
import { retryRequest, type Send } from './retry-request.ts';
import { createRouteAges, createRoutesAhead, routeKey } from './route-ages.ts';

export type NavigationType = 'push' | 'replace' | 'traverse';

export type RouteLoader = {
  /** Stands in for `fetch`: sends the router's requests by the rules of this folder, and all others as they are. */
  fetch: Send;
  /** Somebody goes to another page: what the one before still waits for is cancelled. */
  startNavigation(href: string, type: NavigationType): void;
  /** A page is on the screen. Answers whether its data is old, and nothing newer is on its way. */
  arrive(href: string): boolean;
  /** Where the reader is going; null when they are there. */
  destination(): string | null;
  /** Whether somebody waits for a page, or for the rest of it. */
  isLoading(): boolean;
  /** Whether the page that somebody waits for has taken longer than the limit. */
  isSlow(): boolean;
  /** Calls back when `isLoading` or `isSlow` may have changed; answers how to end that. */
  subscribe(listener: () => void): () => void;
};

export type RouteLoaderOptions = {
  send: Send;
  now(): number;
  currentHref(): string;
  /** True while the browser leaves the document, which ends its requests. */
  isLeaving(): boolean;
  /** Opens the page without the router. */
  loadDocument(href: string, type: NavigationType): void;
  report(error: RouteLoadError): void;
};

type Navigation = {
  readonly href: string;
  isCancelled: boolean;
  /** Whether a request was sent for it: the framework sends none while it waits for what is loaded ahead. */
  isAsked: boolean;
  /** Requests that have not been answered to their end. */
  pending: number;
  /** Requests of which not even the head has come. */
  unanswered: number;
};

/** Loads what the framework's router asks for. Source of the numbers: limits.ts. */
export function createRouteLoader(options: RouteLoaderOptions): RouteLoader {
  const { send, now, report } = options;
  const ages = createRouteAges();
  const ahead = createRoutesAhead();
  const listeners = new Set<() => void>();
  let navigation: Navigation | null = null;
  let limit: ReturnType<typeof setTimeout> | undefined;
  let destination: string | null = null;
  let shown = options.currentHref();
  let isSlow = false;
  ages.note(shown, now());

  function setSlow(value: boolean): void {
    isSlow = value;
    for (const listener of listeners) listener();
  }

  function startNavigation(href: string, type: NavigationType): void {
    if (navigation) navigation.isCancelled = true;
    const started: Navigation = { href, isCancelled: false, isAsked: false, pending: 0, unanswered: 0 };
    navigation = started;
    // To the page that is shown already: it is refreshed, and nobody goes anywhere.
    destination = ahead.endOf(href) === routeKey(shown) ? null : href;
    clearTimeout(limit);
    setSlow(false);
    limit = setTimeout(() => {
      if (destination !== href && started.pending === 0) return;
      setSlow(true);
      if (!hasBegun(started)) options.loadDocument(href, type);
    }, ROUTE_LOAD_TIMEOUT_MS);
  }

  const hasBegun = ({ href, isAsked, unanswered }: Navigation): boolean =>
    isAsked ? unanswered === 0 : !ahead.isAwaited(href) && ages.ageMs(href, now()) !== null;

  function end(ended: Navigation): void {
    ended.pending -= 1;
    if (ended === navigation && ended.pending === 0) setSlow(false);
  }

  function endPage(ended: Navigation, response: Response): void {
    // A redirect to the page that is shown changes no address: nothing else tells that the reader is there.
    const isBack = response.redirected && routeKey(response.url) === routeKey(shown);
    if (ended === navigation && isBack) destination = null;
    end(ended);
  }

  async function loadPage(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    // Nobody waits for a refresh of the page that is shown.
    const waiting = destination === null ? null : navigation;
    const path = pathOf(input);
    const askedAt = now();
    if (waiting) {
      waiting.isAsked = true;
      waiting.pending += 1;
      waiting.unanswered += 1;
    }
    const wasGivenUp = () => waiting?.isCancelled === true || init?.signal?.aborted === true;
    try {
      const response = await retryRequest(
        () => send(input, init),
        () => !wasGivenUp(),
      );
      if (response.status >= 500 && !wasGivenUp()) report(new RouteLoadError(path, response.status));
      noteAge(response, input, init, askedAt);
      if (waiting) void readToEnd(response).then(() => endPage(waiting, response));
      return response;
    } catch (cause) {
      if (waiting) end(waiting);
      if (wasGivenUp() || options.isLeaving()) throw new RouteCancelledError(path, { cause });
      const error = new RouteLoadError(path, null, { cause });
      report(error);
      throw error;
    } finally {
      if (waiting) waiting.unanswered -= 1;
    }
  }

  const takeTurn = limitConcurrency((load: () => Promise<void>) => load(), PREFETCHES_IN_FLIGHT_MAX);

  /** A prefetch keeps its turn until its last byte. Somebody may come to wait for it: it is retried as a page is. */
  function loadAhead(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const answered = ahead.ask(addressOf(input));
    return new Promise((resolve, reject) => {
      void takeTurn(async () => {
        const askedAt = now();
        try {
          const response = await retryRequest(
            () => send(input, init),
            () => init?.signal?.aborted !== true,
          );
          answered(response);
          noteAge(response, input, init, askedAt);
          const isRead = readToEnd(response);
          resolve(response);
          await isRead;
        } catch (error) {
          answered(null);
          reject(error);
        }
      });
    });
  }

  /** An action that changed something answers with the new data of the page that it was sent from. */
  async function sendAction(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const askedAt = now();
    const sentFrom = options.currentHref();
    const response = await send(input, init);
    if (bringsPage(response)) noteAge(response, sentFrom, init, askedAt);
    return response;
  }

  function noteAge(
    response: Response,
    input: RequestInfo | URL,
    init: RequestInit | undefined,
    at: number,
  ): void {
    if (!isPageData(response, init)) return;
    ages.note(addressOf(input), at);
    if (response.redirected) ages.note(response.url, at);
  }

  return {
    fetch(input, init) {
      switch (routeRequestKind(init)) {
        case 'page':
          return loadPage(input, init);
        case 'prefetch':
          return loadAhead(input, init);
        case 'action':
          return sendAction(input, init);
        default:
          return send(input, init);
      }
    },
    startNavigation,
    arrive(href) {
      shown = href;
      destination = null;
      setSlow(isSlow && (navigation?.pending ?? 0) > 0);
      return (navigation?.pending ?? 0) === 0 && (ages.ageMs(href, now()) ?? 0) > FRESH_MS;
    },
    destination: () => destination,
    isLoading: () => destination !== null || (navigation?.pending ?? 0) > 0,
    isSlow: () => isSlow,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const addressOf = (input: RequestInfo | URL): string | URL => (input instanceof Request ? input.url : input);

const pathOf = (input: RequestInfo | URL): string =>
  new URL(addressOf(input), 'http://origin.invalid').pathname;

/** Reads a copy of the body: the framework reads the body itself, as it comes. */
async function readToEnd(response: Response): Promise<void> {
  const reader = response.clone().body?.getReader();
  try {
    while (reader && !(await reader.read()).done);
  } catch {
    // An answer that breaks off has ended too; whoever reads it says so.
  }
}

/** What a request of the framework's router is for. */
type RouteRequestKind = 'page' | 'prefetch' | 'action';

/**
 * Tells the router's requests from all others, for which it answers null. `page` is what somebody waits for: a
 * navigation or a refresh; `prefetch` what is loaded ahead.
 */
function routeRequestKind(init: RequestInit | undefined): RouteRequestKind | null {
  const headers = init?.headers;
  if (!headers) return null;
  const has = (name: string) => new Headers(headers).has(name);
  if (has('next-action')) return 'action';
  if (!has('rsc')) return null;
  // A full prefetch carries the headers of a navigation; only its priority differs.
  const isAhead = has('next-router-prefetch') || has('next-router-segment-prefetch');
  return isAhead || init?.priority === 'low' ? 'prefetch' : 'page';
}

/** Whether the answer holds the data of a page; a prefetch may hold only its outline. */
function isPageData(response: Response, init: RequestInit | undefined): boolean {
  const isOutline =
    new Headers(init?.headers).has('next-router-prefetch') ||
    new Headers(init?.headers).has('next-router-segment-prefetch');
  return (
    response.ok && !isOutline && (response.headers.get('content-type') ?? '').startsWith('text/x-component')
  );
}

/** Whether the answer to an action holds the page anew: it was refreshed, and the action leads nowhere else. */
function bringsPage({ headers, redirected }: Response): boolean {
  return headers.has('x-action-revalidated') && !headers.has('x-action-redirect') && !redirected;
}
