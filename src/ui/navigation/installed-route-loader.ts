import type { RouteLoadError } from './navigation-errors.ts';
import type { Send } from './retry-request.ts';
import { createRouteLoader, type NavigationType, type RouteLoader } from './route-loader.ts';

let installed: RouteLoader | null = null;

/**
 * Puts the rules of this folder around the browser's `fetch`, since the framework offers no loader to replace. Call
 * once, before the router starts.
 */
export function installRouteLoader(send: Send, report: (error: RouteLoadError) => void): RouteLoader {
  let isLeaving = false;
  addEventListener('pagehide', () => {
    isLeaving = true;
  });
  addEventListener('pageshow', () => {
    isLeaving = false;
  });
  installed = createRouteLoader({
    send,
    now: Date.now,
    currentHref: () => location.href,
    isLeaving: () => isLeaving,
    loadDocument,
    report,
  });
  window.fetch = installed.fetch;
  return installed;
}

/** null on the server, and in a page whose start failed. */
export const installedRouteLoader = (): RouteLoader | null => installed;

type Leaving = { location: Pick<Location, 'href' | 'assign' | 'replace' | 'reload'> };

/** Opens the page without the router; the one that is shown is loaded anew. */
export function loadDocument(href: string, type: NavigationType, { location }: Leaving = window): void {
  const url = new URL(href, location.href);
  // An address that differs in nothing but its hash would be a jump within the document.
  if (withoutHash(url) === withoutHash(new URL(location.href))) location.reload();
  else if (type === 'replace') location.replace(url);
  else location.assign(url);
}

function withoutHash(url: URL): string {
  return url.origin + url.pathname + url.search;
}
