import { FileQuestion } from 'lucide-react';
import type { ReactNode } from 'react';
import { type EventPlace, stacksOf } from '#app/[org]/issues/[issue]/event/event-parts.ts';
import { visibleText } from '#lib/visible-text.ts';
import { missingImages, readSourceProblem, type SourceProblem } from '#product/events/source-problem.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';

import { type ProblemLink, problemAnchor, problemLink, sourceProblemText } from './source-problem-text.ts';

/** Why in-app frames of the event show no source, and what to do; nothing when all of them do. `actions` mend it. */
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
              className="break-anything scroll-mt-[calc(var(--issue-body-top,3rem)+3.5rem)] px-3 py-2 text-sm target:bg-accent-soft"
            >
              <p>
                <bdi>{what}</bdi>
                {reasons.length > 1 ? (
                  <span className="text-text-muted"> ({formatPlural(count, 'frame')})</span>
                ) : null}
              </p>
              {problem.reason === 'debug_file_not_uploaded' ? <MissingImages event={event} /> : null}
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

/** Images that are listed. */
const IMAGES_SHOWN_MAX = 20;

/** Which images lack symbols, when there are several. */
function MissingImages({ event }: { event: NormalizedEvent }) {
  const images = missingImages(event);
  if (images.length < 2) return null;
  const more = images.length - IMAGES_SHOWN_MAX;
  return (
    <ul aria-label="Images without symbols" className="mt-1 flex flex-col gap-0.5">
      {images.slice(0, IMAGES_SHOWN_MAX).map(({ name, debugId }) => (
        <li key={debugId}>
          <bdi>{visibleText(name)}</bdi> <code className="mono text-text-muted text-xs">{debugId}</code>
        </li>
      ))}
      {more > 0 ? <li className="text-text-muted">and {formatExact(more)} more</li> : null}
    </ul>
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

type CollectedProblems = {
  /** In-app frames of all stacks of the event. */
  frames: number;
  /** Frames of them that were not taken to their source. */
  without: number;
  /** One of each reason, the one with most frames first. */
  reasons: readonly { problem: SourceProblem; frames: number }[];
};

/**
 * Why in-app frames of an event show no source, each reason once. A library without its source hinders no one, so its
 * frames say so by themselves. When no frame is known to be in app, all count that are not known to be of a library.
 */
export function collectProblems(event: NormalizedEvent): CollectedProblems {
  const all = stacksOf(event).flatMap((stack) => stack.frames);
  const inApp = all.filter((frame) => frame.in_app === true);
  const frames = inApp.length > 0 ? inApp : all.filter((frame) => frame.in_app !== false);
  const found = new Map<string, { problem: SourceProblem; frames: number }>();
  for (const frame of frames) {
    const problem = readSourceProblem(frame);
    if (!problem) continue;
    const known = found.get(problem.reason) ?? { problem, frames: 0 };
    found.set(problem.reason, { ...known, frames: known.frames + 1 });
  }
  const reasons = [...found.values()].sort((a, b) => b.frames - a.frames);
  return {
    frames: frames.length,
    without: reasons.reduce((sum, reason) => sum + reason.frames, 0),
    reasons,
  };
}

/** `1 of 2 in-app frames shows no source`, `None of the 3 in-app frames shows its source`. */
export function withoutSourceLabel(without: number, frames: number): string {
  if (frames === 1) return 'The in-app frame shows no source';
  if (without === frames) return `None of the ${formatExact(frames)} in-app frames shows its source`;
  return `${formatExact(without)} of ${formatExact(frames)} in-app frames ${without === 1 ? 'shows' : 'show'} no source`;
}
