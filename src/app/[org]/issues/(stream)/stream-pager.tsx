import { ChevronLeft, ChevronRight } from 'lucide-react';
import { ButtonLink } from '#ui/button-link.tsx';
import { type StreamState, streamHref } from '../stream-url.ts';

/** Onwards through a long list. A list moves while one reads, so there is only the first page and the next one. */
export function StreamPager({
  organizationSlug,
  state,
  nextCursor,
}: {
  organizationSlug: string;
  state: StreamState;
  nextCursor: string | null;
}) {
  if (!nextCursor && !state.cursor) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      {state.cursor ? (
        <ButtonLink size="sm" href={streamHref(organizationSlug, state)}>
          <ChevronLeft aria-hidden className="size-3.5" />
          First page
        </ButtonLink>
      ) : null}
      {nextCursor ? (
        <ButtonLink size="sm" href={streamHref(organizationSlug, state, { cursor: nextCursor })}>
          Next page
          <ChevronRight aria-hidden className="size-3.5" />
        </ButtonLink>
      ) : null}
    </nav>
  );
}
