import type { SentryApi, SentryPage, SentryRequest } from './sentry-api.ts';

/** Pages from a cursor on; null from the first. Ends where a server gives the same cursor again. */
export async function* pagesOf(
  api: SentryApi,
  request: SentryRequest,
  from: string | null,
): AsyncGenerator<SentryPage> {
  let cursor = from;
  for (;;) {
    const page = await api.page(request, cursor);
    yield page;
    if (page.next === null || page.next === cursor) return;
    cursor = page.next;
  }
}
