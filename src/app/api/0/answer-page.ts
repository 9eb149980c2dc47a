import type { ApiAnswer } from './handle-api-request.ts';

/** What Sentry gives where there is no page before. */
const FIRST_CURSOR = '0:0:1';
/** Beyond the last page, which is empty, for callers that ask until nothing comes. */
const END_CURSOR = '0:0:0';

export type Page = { rows: readonly unknown[]; nextCursor: string | null };

/**
 * One page of a list with its Link header, as Sentry writes it: https://docs.sentry.io/api/pagination/
 * `load` is given the cursor of the page, null for the first. Pages lead forward only, so `previous` has no results.
 */
export async function answerPage(
  publicUrl: string,
  url: URL,
  load: (cursor: string | null) => Promise<Page>,
): Promise<ApiAnswer> {
  const cursor = url.searchParams.get('cursor');
  const isFirst = cursor === null || cursor === '' || cursor === FIRST_CURSOR;
  const page = cursor === END_CURSOR ? EMPTY : await load(isFirst ? null : cursor);
  const link = [
    linkTo('previous', false, FIRST_CURSOR),
    linkTo('next', page.nextCursor !== null, page.nextCursor ?? END_CURSOR),
  ].join(', ');
  return { body: page.rows, link };

  function linkTo(rel: string, results: boolean, target: string): string {
    return `<${pageUrl(publicUrl, url, target)}>; rel="${rel}"; results="${results}"; cursor="${target}"`;
  }
}

const EMPTY: Page = { rows: [], nextCursor: null };

function pageUrl(publicUrl: string, url: URL, cursor: string): string {
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  return `${publicUrl}${url.pathname.replace(/\/*$/, '/')}?${query}`;
}
