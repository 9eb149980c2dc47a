import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { ButtonLink } from '#ui/button-link.tsx';

type Labels = { first: string; next: string };

/** Links to the first and the next page of a list; null for a page that is not linked. `children` stand before them. */
export function Pager({
  firstHref,
  nextHref,
  labels = { first: 'First page', next: 'Next page' },
  children,
}: {
  firstHref: string | null;
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
          <ChevronLeft aria-hidden className="size-3.5" />
          {labels.first}
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
  labels,
}: {
  path?: string;
  /** Parameters of the address that stay. */
  entries?: QueryEntries;
  /** null for the first page. */
  hrefOf?: (cursor: string | null) => string;
  cursor: string | null;
  nextCursor: string | null;
  labels?: Labels;
}) {
  return (
    <Pager
      firstHref={cursor ? hrefOf(null) : null}
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
