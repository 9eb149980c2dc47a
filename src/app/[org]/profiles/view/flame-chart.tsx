'use client';

import { ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { placeIn, ticksOf } from '#app/[org]/traces/[trace]/waterfall/time-window.ts';
import { FLAME_BOXES_MAX, type FlameGraph } from '#domain/profiles/flame-graph.ts';
import { Button } from '#ui/button.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact } from '#ui/format-number.ts';
import { BOX_HEIGHT_PX, boxAt, drawFlames } from './draw-flames.ts';
import { FrameDetails } from './frame-details.tsx';
import type { ShownProfile } from './shown-profile.ts';
import { boxBeside } from './walk-boxes.ts';

const VIEW_HEIGHT_PX = 520;
const TICKS_MAX = 6;
const NONE = -1;

/** Calls as boxes, callers on top. The call tree and the top functions say the same as tables. */
export function FlameChart({
  label,
  hasTime,
  shown,
  graph,
  matches,
}: {
  label: string;
  /** The width is time, rather than a sum of it. */
  hasTime: boolean;
  shown: ShownProfile;
  graph: FlameGraph;
  matches: readonly boolean[] | null;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [zoomedTo, setZoomedTo] = useState(NONE);
  const [selected, setSelected] = useState(NONE);
  const [hovered, setHovered] = useState(NONE);
  const [fromUs, toUs] =
    zoomedTo === NONE
      ? [0, graph.widthUs]
      : [graph.fromUs[zoomedTo] as number, graph.toUs[zoomedTo] as number];
  const height = Math.min(VIEW_HEIGHT_PX, Math.max(6, graph.height) * BOX_HEIGHT_PX);

  useEffect(() => {
    const [own, around] = [canvas.current, scroller.current];
    if (!own || !around) return;
    const { thread } = shown;
    const draw = () =>
      drawFlames(own, { graph, thread, fromUs, toUs, top: around.scrollTop, matches, selected, hovered });
    draw();
    const sized = new ResizeObserver(draw);
    sized.observe(own);
    around.addEventListener('scroll', draw, { passive: true });
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      sized.disconnect();
      around.removeEventListener('scroll', draw);
      scheme.removeEventListener('change', draw);
    };
  }, [graph, shown, fromUs, toUs, matches, selected, hovered]);

  const boxUnder = (event: MouseEvent): number => {
    const [own, around] = [canvas.current, scroller.current];
    return own && around ? boxAt(own, { graph, fromUs, toUs, top: around.scrollTop }, event) : NONE;
  };

  function select(box: number): void {
    setSelected(box);
    const around = scroller.current;
    if (!around || box === NONE) return;
    const top = (graph.depths[box] as number) * BOX_HEIGHT_PX;
    if (top < around.scrollTop) around.scrollTop = top;
    else if (top + BOX_HEIGHT_PX > around.scrollTop + around.clientHeight) {
      around.scrollTop = top + BOX_HEIGHT_PX - around.clientHeight;
    }
    // Beside what is zoomed to: the whole is shown again.
    if ((graph.toUs[box] as number) <= fromUs || (graph.fromUs[box] as number) >= toUs) setZoomedTo(NONE);
  }

  function reset(): void {
    if (zoomedTo === NONE) setSelected(NONE);
    setZoomedTo(NONE);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' || event.key === '0') reset();
    else if (event.key === 'Enter') setZoomedTo(selected);
    else if (event.key.startsWith('Arrow')) select(boxBeside(graph, selected, event.key));
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="flex h-8 items-center gap-2 border-b pr-1">
        <div
          aria-hidden
          className="numbers relative h-full min-w-0 flex-1 overflow-hidden text-text-muted text-xs"
        >
          {hasTime ? (
            ticksOf({ fromUs, toUs }, TICKS_MAX).map((atUs) => (
              <span
                key={atUs}
                className="absolute inset-y-0 flex items-center border-l pl-1"
                style={{ left: `${(placeIn({ fromUs, toUs }, atUs, atUs)?.left ?? 0) * 100}%` }}
              >
                {formatElapsed(atUs)}
              </span>
            ))
          ) : (
            <span className="flex h-full items-center pl-2">{formatElapsed(toUs - fromUs)}</span>
          )}
        </div>
        {zoomedTo === NONE ? null : (
          <Button variant="ghost" size="sm" onClick={() => setZoomedTo(NONE)}>
            <ZoomOut aria-hidden className="size-4" />
            Reset zoom
          </Button>
        )}
      </div>
      <div
        ref={scroller}
        role="application"
        aria-label={`${label}. Arrow keys move between calls, Enter zooms in, Escape resets. The call tree shows the same as a table.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it has keys of its own
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="overflow-y-auto outline-accent-line focus-visible:outline-2"
        style={{ height }}
      >
        <div style={{ height: Math.max(height, graph.height * BOX_HEIGHT_PX) }}>
          <canvas
            ref={canvas}
            aria-hidden
            className="sticky top-0 block w-full cursor-pointer"
            style={{ height }}
            onMouseMove={(event) => setHovered(boxUnder(event))}
            onMouseLeave={() => setHovered(NONE)}
            onClick={(event) => {
              const box = boxUnder(event);
              setSelected(box);
              setZoomedTo(box === zoomedTo ? NONE : box);
            }}
          />
        </div>
      </div>
      {graph.isCut ? (
        <p className="border-t px-4 py-2 text-text-muted text-xs">
          The chart ends after {formatExact(FLAME_BOXES_MAX)} calls. The call tree and the top functions have
          all of them.
        </p>
      ) : null}
      <FrameDetails shown={shown} graph={graph} box={hovered === NONE ? selected : hovered} />
    </>
  );
}
