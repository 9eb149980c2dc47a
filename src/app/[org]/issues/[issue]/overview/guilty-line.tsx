import { Crosshair } from 'lucide-react';
import { findGuiltyFrame } from '#product/events/guilty-frame.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { noSourceReason } from '../event/event-view.ts';
import { SourceLines } from '../event/source/source-lines.tsx';
import { framePlace } from '../event/stack/frame-place.ts';
import { frameView, type SourceLine } from '../event/stack/frame-view.ts';

/** Lines before and behind the one that people look for: the stack below has all that were sent. */
const LINES_AROUND = 4;

/** The line that people look for first; nothing when the event has no stack. */
export function GuiltyLine({ event }: { event: NormalizedEvent }) {
  const guilty = findGuiltyFrame(event);
  if (!guilty) return null;
  const frame = frameView(guilty, 0);
  const place = framePlace(frame);
  const code = frame.source.find((line) => line.isCalled)?.text.trim();
  return (
    <Card
      id="guilty-line"
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
          {frame.isInApp ? null : <span className="text-text-faint text-xs">of a library</span>}
          <CopyButton text={code ? `${place}\n${code}` : place || frame.functionName} label="Copy the line" />
        </>
      }
    >
      {frame.source.length > 0 ? (
        <div className="overflow-hidden rounded-b-lg">
          <SourceLines
            lines={around(frame.source)}
            file={frame.place}
            platform={event.platform}
            label="Source around the line"
          />
        </div>
      ) : (
        <p className="px-4 py-3 text-sm text-text-muted">{noSourceReason(frame, event.platform)}</p>
      )}
    </Card>
  );
}

function around(lines: readonly SourceLine[]): readonly SourceLine[] {
  const called = lines.findIndex((line) => line.isCalled);
  return lines.slice(Math.max(0, called - LINES_AROUND), called + LINES_AROUND + 1);
}
