import type { Page, Request, Route } from 'playwright-core';

/** Whether the request is the router's for the data of a page that somebody waits for. */
export const isPageData = (request: Request): boolean =>
  request.headers().rsc === '1' &&
  request.method() === 'GET' &&
  request.headers()['next-router-prefetch'] === undefined &&
  request.headers()['next-router-segment-prefetch'] === undefined;

export const isRouterRequest = (request: Request): boolean => request.headers().rsc === '1';

/** All requests of a page from now on. */
export function watchRequests(page: Page) {
  const requests: Request[] = [];
  page.on('request', (request) => void requests.push(request));
  return {
    documents: () => requests.filter((request) => request.isNavigationRequest()),
    pageData: (path: string) =>
      requests.filter((request) => isPageData(request) && new URL(request.url()).pathname === path),
    routerRequests: () => requests.filter(isRouterRequest),
    scripts: () => requests.filter((request) => request.resourceType() === 'script').map((one) => one.url()),
    reports: () =>
      requests
        .filter((request) => new URL(request.url()).pathname === '/monitoring')
        .map((request) => request.postData() ?? ''),
    clear: () => void requests.splice(0),
  };
}

/** Keeps requests of a page from being answered until they are released; further ones pass after `open`. */
export async function holdRequests(
  page: Page,
  accept: (request: Request) => boolean,
): Promise<{
  held: Route[];
  inFlight(): number;
  release(count?: number): Promise<void>;
  open(): Promise<void>;
}> {
  const held: Route[] = [];
  let released = 0;
  let isOpen = false;
  await page.route('**/*', async (route) => {
    if (isOpen || !accept(route.request())) return route.fallback();
    held.push(route);
  });
  const release = async (count = Number.POSITIVE_INFINITY) => {
    const next = held.slice(released, released + count);
    released += next.length;
    await Promise.all(next.map((route) => route.continue().catch(() => {})));
  };
  return {
    held,
    inFlight: () => held.length - released,
    release,
    open: async () => {
      isOpen = true;
      await release();
    },
  };
}
