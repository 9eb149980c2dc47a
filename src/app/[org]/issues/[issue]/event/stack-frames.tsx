'use client';

import { ChevronRight, Layers } from 'lucide-react';
import { useState } from 'react';
import { cx } from '#ui/cx.ts';
import { formatPlural } from '#ui/format-number.ts';
import { type FrameOrder, foldFrames, guiltyFrame } from './fold-frames.ts';
import { framePlace } from './frame-place.ts';
import type { FrameView, StackView } from './frame-view.ts';
import { ScrubBadges } from './scrub-badges.tsx';
import { SourceLines } from './source-lines.tsx';

/** Rows drawn before a button brings the rest; a recursion can be thousands of frames deep. */
const ROWS_SHOWN_FIRST = 250;

/** The frames of one stack. */
export function StackFrames({
  stack,
  order,
  showAll,
}: {
  stack: StackView;
  order: FrameOrder;
  showAll: boolean;
}) {
  const [isComplete, setIsComplete] = useState(false);
  const rows = foldFrames(stack.frames, order, showAll);
  const shown = isComplete ? rows : rows.slice(0, ROWS_SHOWN_FIRST);
  const open = guiltyFrame(stack.frames);
  const omitted =
    stack.omitted > 0 ? (
      <li className="border-b px-4 py-2 text-text-muted text-xs last:border-b-0">
        {formatPlural(stack.omitted, 'frame')} left out by the SDK
      </li>
    ) : null;
  return (
    <>
      <ol className="overflow-hidden rounded-md border">
        {shown.map((row) =>
          row.kind === 'frame' ? (
            <FrameRow key={row.frame.index} frame={row.frame} startsOpen={row.frame === open} />
          ) : (
            <LibraryRow key={`library-${row.frames[0]?.index}`} frames={row.frames} />
          ),
        )}
        {shown.length < rows.length ? (
          <li className="border-b px-4 py-2 last:border-b-0">
            <button
              type="button"
              onClick={() => setIsComplete(true)}
              className="rounded-sm text-accent text-xs hover:underline"
            >
              Show {formatPlural(rows.length - shown.length, 'more frame')}
            </button>
          </li>
        ) : null}
        {omitted}
      </ol>
      {stack.registers.length > 0 ? <Registers registers={stack.registers} /> : null}
    </>
  );
}

function LibraryRow({ frames }: { frames: readonly FrameView[] }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return frames.map((frame) => <FrameRow key={frame.index} frame={frame} startsOpen={false} />);
  return (
    <li className="border-b last:border-b-0">
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="flex min-h-8 w-full items-center gap-2 bg-surface-sunken px-3 py-1 text-left text-text-muted text-xs hover:bg-surface-hover hover:text-text focus-visible:-outline-offset-2"
      >
        <Layers aria-hidden className="size-3.5 shrink-0" />
        <span>{formatPlural(frames.length, 'frame')} of libraries</span>
        <span className="mono min-w-0 flex-1 truncate text-text-faint">{librariesOf(frames)}</span>
      </button>
    </li>
  );
}

/** A frame; opens when there is source or variables to see. */
function FrameRow({ frame, startsOpen }: { frame: FrameView; startsOpen: boolean }) {
  const place = framePlace(frame);
  const hasMore = frame.source.length > 0 || frame.variables.length > 0;
  const head = (
    <>
      <ChevronRight
        aria-hidden
        className={cx(
          'mt-[3px] size-3.5 shrink-0 text-text-faint transition-transform',
          hasMore ? 'group-open:rotate-90' : 'invisible',
        )}
      />
      <span className="break-anything min-w-0 flex-1 leading-5">
        <bdi className={cx('mono text-xs', frame.isInApp ? 'font-semibold text-text' : 'text-text-muted')}>
          {frame.functionName}
        </bdi>
        {place ? (
          <>
            <span className="text-text-faint text-xs"> in </span>
            <bdi
              className={cx('mono text-xs', frame.isInApp ? 'text-text' : 'text-text-muted')}
              title={frame.fullPath || undefined}
            >
              {place}
            </bdi>
          </>
        ) : null}
        {frame.library && frame.place ? (
          <bdi className="mono text-text-faint text-xs"> ({frame.library})</bdi>
        ) : null}
      </span>
      {frame.isInApp ? (
        <span className="shrink-0 mt-px rounded-sm bg-accent-soft px-1.5 text-[11px] text-accent leading-[18px]">
          in app
        </span>
      ) : null}
    </>
  );
  const look = 'flex min-h-8 items-start gap-2 px-3 py-1.5 focus-visible:-outline-offset-2';
  if (!hasMore) {
    return (
      <li className="border-b last:border-b-0">
        <div className={look}>{head}</div>
      </li>
    );
  }
  return (
    <li className="border-b last:border-b-0">
      <details className="group" open={startsOpen}>
        <summary className={cx(look, 'hover:bg-surface-hover')}>{head}</summary>
        {frame.source.length > 0 ? (
          <div className="border-t">
            <SourceLines lines={frame.source} label={`Source around ${place}`} />
          </div>
        ) : null}
        {frame.variables.length > 0 ? <Variables variables={frame.variables} /> : null}
      </details>
    </li>
  );
}

function Variables({ variables }: { variables: FrameView['variables'] }) {
  return (
    <div className="border-t px-4 py-2">
      <h4 className="mb-1 font-medium text-text-muted text-xs">Local variables</h4>
      <dl className="max-h-80 overflow-y-auto">
        {variables.map(([name, value, marks]) => (
          <div
            key={name}
            className="grid gap-x-4 border-b py-1 last:border-b-0 sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <dt className="mono break-anything text-text-muted text-xs leading-5">
              <bdi>{name}</bdi>
            </dt>
            <dd className="mono whitespace-pre-wrap text-xs leading-5 [overflow-wrap:anywhere]">
              <bdi>{value}</bdi>
              <ScrubBadges marks={marks} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Registers({ registers }: { registers: StackView['registers'] }) {
  return (
    <details className="mt-2">
      <summary className="w-fit rounded-sm text-text-muted text-xs hover:text-text">
        {formatPlural(registers.length, 'register')}
      </summary>
      <dl className="mono mt-1 grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-6 text-xs leading-5">
        {registers.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3">
            <dt className="text-text-muted">{name}</dt>
            <dd className="break-anything">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function librariesOf(frames: readonly FrameView[]): string {
  const names = new Set(frames.map((frame) => frame.library || frame.place).filter(Boolean));
  return [...names].slice(0, 4).join(', ');
}
