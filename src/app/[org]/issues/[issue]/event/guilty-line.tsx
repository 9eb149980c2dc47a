import { Crosshair } from 'lucide-react';
import type { NormalizedEvent } from '#protocol/event.ts';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { guiltyFrameOf, noSourceReason } from './event-view.ts';
import { framePlace } from './frame-place.ts';
import { SourceLines } from './source-lines.tsx';

/** The line that people look for first; nothing when the event has no stack. */
export function GuiltyLine({ event }: { event: NormalizedEvent }) {
  const frame = guiltyFrameOf(event);
  if (!frame) return null;
  const place = framePlace(frame);
  const code = frame.source.find((line) => line.isCalled)?.text.trim();
  return (
    <Card
      id="guilty-line"
      flush
      title={
        <span className="flex min-w-0 items-center gap-2">
          <Crosshair aria-hidden className="size-3.5 shrink-0 text-danger" />
          <span className="break-anything">
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
          <SourceLines lines={frame.source} label="Source around the line" />
        </div>
      ) : (
        <p className="px-4 py-3 text-sm text-text-muted">{noSourceReason(frame, event.platform)}</p>
      )}
    </Card>
  );
}
