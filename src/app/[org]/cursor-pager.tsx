import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { ButtonLink } from '#ui/button-link.tsx';

/** Of lists whose newest entries come first. */
export const NEWEST_FIRST_LABELS = { first: 'Newest', next: 'Older' };

/** The way to the next page of a list and back to its first; nothing where there is one page. */
export function CursorPager({
  path,
  entries = {},
  cursor,
  nextCursor,
  labels = { first: 'First page', next: 'Next page' },
}: {
  path: string;
  /** Parameters of the address that stay. */
  entries?: QueryEntries;
  cursor: string | null;
  nextCursor: string | null;
  labels?: { first: string; next: string };
}) {
  if (!cursor && !nextCursor) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      {cursor ? (
        <ButtonLink size="sm" href={withQuery(path, entries)}>
          <ChevronLeft aria-hidden className="size-3.5" />
          {labels.first}
        </ButtonLink>
      ) : null}
      {nextCursor ? (
        <ButtonLink size="sm" href={withQuery(path, { ...entries, cursor: nextCursor })}>
          {labels.next}
          <ChevronRight aria-hidden className="size-3.5" />
        </ButtonLink>
      ) : null}
    </nav>
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
