import type { JsonObject } from '../json-values.ts';
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

/** The projects that are not read yet after a mark (`project|cursor`), each with the cursor that it goes on from; null from the first. */
export function projectsAfter(
  projects: readonly JsonObject[],
  mark: string | null,
): readonly { id: string; slug: string; from: string | null }[] {
  const [begin, cursor = ''] = mark?.split('|') ?? [];
  const first =
    begin === undefined
      ? 0
      : Math.max(
          0,
          projects.findIndex(({ id }) => String(id) === begin),
        );
  return projects.slice(first).map(({ id, slug }) => ({
    id: String(id),
    slug: String(slug),
    from: String(id) === begin && cursor !== '' ? cursor : null,
  }));
}
