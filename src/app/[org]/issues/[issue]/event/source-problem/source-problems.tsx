import { FileQuestion } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NormalizedEvent } from '#protocol/event.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import type { EventPlace } from '../event-place.ts';
import { collectProblems, withoutSourceLabel } from './collect-problems.ts';
import { type ProblemLink, problemAnchor, problemLink } from './problem-link.ts';
import { sourceProblemText } from './source-problem-text.ts';

/** Why frames of the event show no source, and what to do; nothing when all of them do. `actions` mend it. */
export function SourceProblems({
  event,
  place,
  actions,
}: {
  event: NormalizedEvent;
  place: EventPlace;
  actions: ReactNode;
}) {
  const { frames, without, reasons } = collectProblems(event);
  if (without === 0) return null;
  return (
    <section aria-labelledby="no-source" className="mb-4 rounded-md border bg-surface-raised">
      <h3 id="no-source" className="flex items-center gap-2 border-b px-3 py-2 font-medium text-sm">
        <FileQuestion aria-hidden className="size-4 shrink-0 text-warning" />
        {withoutSourceLabel(without, frames)}
      </h3>
      <ul className="divide-y">
        {reasons.map(({ problem, frames: count }) => {
          const { what, next } = sourceProblemText(problem);
          return (
            <li
              key={problem.reason}
              id={problemAnchor(problem.reason)}
              data-reason={problem.reason}
              className="break-anything scroll-mt-26 px-3 py-2 text-sm target:bg-accent-soft"
            >
              <p>
                <bdi>{what}</bdi>
                {reasons.length > 1 ? (
                  <span className="text-text-muted"> ({formatPlural(count, 'frame')})</span>
                ) : null}
              </p>
              <p className="mt-0.5 text-text-muted">
                {next} <NextStep link={problemLink(problem, place)} />
              </p>
            </li>
          );
        })}
      </ul>
      {actions ? <div className="border-t px-3 py-2">{actions}</div> : null}
    </section>
  );
}

export function NextStep({ link }: { link: ProblemLink | null }) {
  if (!link) return null;
  return (
    <Link href={link.href} className="text-accent underline underline-offset-2">
      {link.label}
    </Link>
  );
}
