import type { ReactNode } from 'react';

/**
 * Beside each other where there is room: what happened, with the event below it, and for whom, with the people below.
 * On a phone they stand under each other in the order in which they are asked: what, for whom, the event, the people.
 */
export function IssueGrid({
  overview,
  context,
  event,
  people,
}: {
  overview: ReactNode;
  context: ReactNode;
  event: ReactNode;
  people: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-4 [reading-flow:flex-visual] lg:grid lg:grid-cols-[minmax(0,1fr)_320px] lg:items-start">
      <div className="contents lg:block lg:min-w-0 lg:space-y-4">
        <div className="order-1 min-w-0 space-y-4">{overview}</div>
        <div className="order-3 min-w-0 space-y-4">{event}</div>
      </div>
      <aside aria-label="About the issue" className="contents lg:block lg:min-w-0 lg:space-y-4">
        <div className="order-2 min-w-0 space-y-4">{context}</div>
        <div className="order-4 min-w-0 space-y-4">{people}</div>
      </aside>
    </div>
  );
}
