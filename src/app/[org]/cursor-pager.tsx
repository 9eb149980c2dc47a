import { ChevronLeft, ChevronRight } from 'lucide-react';
import { withQuery } from '#app/url-state.ts';
import { ButtonLink } from '#ui/button-link.tsx';

/** The way to the next page of a list and back to its first; nothing where there is one page. */
export function CursorPager({
  path,
  entries,
  cursor,
  nextCursor,
}: {
  path: string;
  /** Parameters of the address that stay. */
  entries: Readonly<Record<string, string | readonly string[] | null>>;
  cursor: string | null;
  nextCursor: string | null;
}) {
  if (!cursor && !nextCursor) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      {cursor ? (
        <ButtonLink size="sm" href={withQuery(path, entries)}>
          <ChevronLeft aria-hidden className="size-3.5" />
          First page
        </ButtonLink>
      ) : null}
      {nextCursor ? (
        <ButtonLink size="sm" href={withQuery(path, { ...entries, cursor: nextCursor })}>
          Next page
          <ChevronRight aria-hidden className="size-3.5" />
        </ButtonLink>
      ) : null}
    </nav>
  );
}
