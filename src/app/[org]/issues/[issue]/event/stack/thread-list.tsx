import type { EventPlace } from '#app/[org]/issues/[issue]/event/event-parts.ts';
import { withQuery } from '#app/url-state.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { Badge } from '#ui/badge.tsx';
import type { ThreadView } from '../event-view.ts';
import { ThreadPicker } from './choice-links.tsx';
import { singleStack } from './stack-frames.tsx';

/** One thread at a time, the crashed one unless the address names another. */
export function ThreadList({
  threads,
  event,
  place,
}: {
  /** The crashed one first. */
  threads: readonly ThreadView[];
  event: NormalizedEvent;
  place: EventPlace;
}) {
  const thread = threads.find(({ index }) => index === place.thread) ?? threads[0];
  if (!thread) return null;
  const stack = singleStack(event, `thread.${thread.index}`, place);
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <ThreadPicker
          value={String(thread.index)}
          href={`${withQuery(place.pageHref, { ...place.entries, thread: '' })}`}
          options={threads.map((each) => ({
            value: String(each.index),
            label: each.name,
            hint: [
              each.isCrashed ? 'crashed' : each.isCurrent ? 'current' : '',
              each.state,
              each.hasStack ? '' : 'no stack trace',
            ]
              .filter(Boolean)
              .join(', '),
          }))}
        />
        {thread.isCrashed ? <Badge tone="danger">crashed</Badge> : null}
        {thread.isCurrent ? <Badge>current</Badge> : null}
        {thread.state ? <Badge>{thread.state}</Badge> : null}
      </div>
      {stack ?? (
        <p className="text-sm text-text-muted">
          This thread has no stack trace. The stack trace of the crashed thread may be shown with the
          exception.
        </p>
      )}
    </div>
  );
}
