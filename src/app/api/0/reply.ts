/** What Sentry gives where there is no page before. */
const FIRST_CURSOR = '0:0:1';
/** Beyond the last page, which is empty, for callers that ask until nothing comes. */
const END_CURSOR = '0:0:0';

/** What is answered: `body` becomes JSON, null an answer without content; `link` is the value of the Link header. */
export class Reply {
  readonly body: unknown;
  readonly status: number;
  readonly link: string | undefined;

  constructor(body: unknown, { status = 200, link }: { status?: number; link?: string } = {}) {
    this.body = body;
    this.status = status;
    this.link = link;
  }

  /** The same with its rows inside of something else. */
  wrap(wrap: (rows: unknown) => unknown): Reply {
    return new Reply(wrap(this.body), this);
  }
}

/** Rows with the cursor of those behind them, null at the end; a list alone is all that there is. */
export type Page = readonly unknown[] | { rows: readonly unknown[]; nextCursor: string | null };
export type LoadPage = (cursor: string | null) => Promise<Page>;

/**
 * One page of a list with its Link header, as Sentry writes it: https://docs.sentry.io/api/pagination/
 * `load` is given the cursor of the page, null for the first. Pages lead forward only, so `previous` has no results.
 */
export async function replyWithPage(publicUrl: string, url: URL, load: LoadPage): Promise<Reply> {
  const cursor = url.searchParams.get('cursor');
  const isFirst = cursor === null || cursor === '' || cursor === FIRST_CURSOR;
  const page = cursor === END_CURSOR ? [] : await load(isFirst ? null : cursor);
  const { rows, nextCursor } = 'rows' in page ? page : { rows: page, nextCursor: null };
  const link = [
    linkTo('previous', false, FIRST_CURSOR),
    linkTo('next', nextCursor !== null, nextCursor ?? END_CURSOR),
  ].join(', ');
  return new Reply(rows, { link });

  function linkTo(rel: string, results: boolean, target: string): string {
    return `<${pageUrl(publicUrl, url, target)}>; rel="${rel}"; results="${results}"; cursor="${target}"`;
  }
}

function pageUrl(publicUrl: string, url: URL, cursor: string): string {
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  return `${publicUrl}${url.pathname.replace(/\/*$/, '/')}?${query}`;
}
