import { ChevronFirst, ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { ButtonLink } from '#ui/button-link.tsx';

type Labels = { first: string; next: string };

/** Links to the first, the previous and the next page of a list; null for a page that is not linked. `children` stand before them. */
export function Pager({
  firstHref,
  previousHref = null,
  nextHref,
  labels = { first: 'First page', next: 'Next page' },
  children,
}: {
  firstHref: string | null;
  previousHref?: string | null;
  nextHref: string | null;
  labels?: Labels;
  children?: ReactNode;
}) {
  if (firstHref === null && nextHref === null) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center justify-end gap-2">
      {children}
      {firstHref === null ? null : (
        <ButtonLink size="sm" href={firstHref}>
          <ChevronFirst aria-hidden className="size-3.5" />
          {labels.first}
        </ButtonLink>
      )}
      {previousHref === null ? null : (
        <ButtonLink size="sm" href={previousHref}>
          <ChevronLeft aria-hidden className="size-3.5" />
          Previous page
        </ButtonLink>
      )}
      {nextHref === null ? null : (
        <ButtonLink size="sm" href={nextHref}>
          {labels.next}
          <ChevronRight aria-hidden className="size-3.5" />
        </ButtonLink>
      )}
    </nav>
  );
}

/** The pager of a list with cursors; its address is `path` with `entries`, or what `hrefOf` makes of a cursor. */
export function CursorPager({
  path = '',
  entries = {},
  hrefOf = (cursor) => withQuery(path, { ...entries, cursor }),
  cursor,
  nextCursor,
  previousCursor = null,
  labels,
}: {
  path?: string;
  /** Parameters of the address that stay. */
  entries?: QueryEntries;
  /** null for the first page. */
  hrefOf?: (cursor: string | null) => string;
  cursor: string | null;
  nextCursor: string | null;
  /** null where a list cannot be read backwards, and on its first page. */
  previousCursor?: string | null;
  labels?: Labels;
}) {
  return (
    <Pager
      firstHref={cursor ? hrefOf(null) : null}
      previousHref={previousCursor ? hrefOf(previousCursor) : null}
      nextHref={nextCursor ? hrefOf(nextCursor) : null}
      labels={labels}
    />
  );
}

/** A page of a list. A cursor that cannot be read, as in an edited address, shows the first page instead. */
export async function readListPage<T>(
  cursor: string | null,
  read: (cursor: string | null) => Promise<T>,
): Promise<T> {
  try {
    return await read(cursor);
  } catch (error) {
    if (!cursor || !isErrataError(error) || error.code !== 'invalid') throw error;
    return read(null);
  }
}
