import { Crosshair, ExternalLink } from 'lucide-react';
import type { EventPlace } from '#app/[org]/issues/[issue]/event/event-parts.ts';
import {
  problemLink,
  sourceProblemText,
} from '#app/[org]/issues/[issue]/event/source-problem/source-problem-text.ts';
import { findCrashFrame } from '#product/events/frame-names.ts';
import { readSourceProblem, type SourceProblem } from '#product/events/source-problem.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { isWebAddress } from '#ui/external-link.tsx';
import { noSourceReason } from '../event/event-view.ts';
import { type SourceLine, SourceLines } from '../event/source/source-lines.tsx';
import { NextStep } from '../event/source-problem/source-problems.tsx';
import { framePlace, frameView } from '../event/stack/frame-view.ts';

/** Lines shown before and after the crash: the stack trace below has all that were sent. */
const LINES_AROUND = 4;

/** The line of the crash; nothing when the event has no stack. */
export function CrashFrameCard({ event, place: eventPlace }: { event: NormalizedEvent; place: EventPlace }) {
  const crashFrame = findCrashFrame(event);
  if (!crashFrame) return null;
  const frame = frameView(crashFrame, 0, undefined, eventPlace.linkFrame);
  const problem = readSourceProblem(crashFrame);
  const place = framePlace(frame);
  const code = frame.source.find((line) => line.isCalled)?.text.trim();
  return (
    <Card
      id="crash-frame"
      flush
      title={
        <span className="flex min-w-0 items-center gap-2">
          <Crosshair aria-hidden className="size-3.5 shrink-0 text-danger" />
          <span className="break-anything line-clamp-2">
            <bdi className="mono text-xs">{frame.functionName}</bdi>
            {place ? (
              <>
                <span className="font-normal text-text-muted"> in </span>
                <bdi className="mono font-normal text-xs" title={frame.fullPath || undefined}>
                  {place}
                </bdi>
              </>
            ) : null}
          </span>
        </span>
      }
      actions={
        <>
          {frame.isInApp ? null : <span className="text-text-faint text-xs">not in app</span>}
          {frame.repositoryHref && isWebAddress(frame.repositoryHref) ? (
            <a
              href={frame.repositoryHref}
              target="_blank"
              rel="noreferrer nofollow noopener"
              className={buttonClass({ variant: 'ghost', size: 'sm' })}
            >
              <ExternalLink aria-hidden className="size-3.5" />
              <span className="max-sm:sr-only">Open in repository</span>
            </a>
          ) : null}
          <CopyButton text={code ? `${place}\n${code}` : place || frame.functionName} label="Copy line" />
        </>
      }
    >
      {frame.source.length > 0 ? (
        <div className="overflow-hidden rounded-b-lg">
          <SourceLines
            lines={around(frame.source)}
            file={frame.place}
            platform={event.platform}
            label="Source context"
          />
        </div>
      ) : null}
      {problem ? (
        <Problem problem={problem} place={eventPlace} />
      ) : frame.source.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">{noSourceReason(frame, event.platform)}</p>
      ) : null}
    </Card>
  );
}

function Problem({ problem, place }: { problem: SourceProblem; place: EventPlace }) {
  const { what, next } = sourceProblemText(problem);
  return (
    <p className="break-anything px-4 py-3 text-sm text-text-muted">
      <bdi>{what}</bdi> {next} <NextStep link={problemLink(problem, place)} />
    </p>
  );
}

function around(lines: readonly SourceLine[]): readonly SourceLine[] {
  const called = lines.findIndex((line) => line.isCalled);
  return lines.slice(Math.max(0, called - LINES_AROUND), called + LINES_AROUND + 1);
}
