import { ChevronLeft, ChevronRight } from 'lucide-react';
import { withQuery } from '#app/url-state.ts';
import { ButtonLink } from '#ui/button-link.tsx';

/** The way to the first page and to the next one; nothing for a list of one page. */
export function PageSteps({
  href,
  entries = {},
  cursor,
  nextCursor,
}: {
  href: string;
  /** Parameters that the pages share. */
  entries?: Readonly<Record<string, string | readonly string[] | null>>;
  cursor: string | null;
  nextCursor: string | null;
}) {
  if (!cursor && !nextCursor) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      {cursor ? (
        <ButtonLink size="sm" href={withQuery(href, entries)}>
          <ChevronLeft aria-hidden className="size-3.5" />
          Newest
        </ButtonLink>
      ) : null}
      {nextCursor ? (
        <ButtonLink size="sm" href={withQuery(href, { ...entries, cursor: nextCursor })}>
          Older
          <ChevronRight aria-hidden className="size-3.5" />
        </ButtonLink>
      ) : null}
    </nav>
  );
}
