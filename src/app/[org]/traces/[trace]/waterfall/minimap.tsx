'use client';

import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { canvasColors } from '#ui/canvas-colors.ts';
import type { SpanTree } from './span-tree.ts';
import { narrow, placeIn, type TimeWindow } from './time-window.ts';

const HEIGHT_PX = 56;

/** The whole trace in small. What is dragged over is what the bars below show; a double click shows all again. */
export function Minimap({
  tree,
  colorOf,
  window: shown,
  onChange,
}: {
  tree: SpanTree;
  colorOf: (project: string) => string;
  window: TimeWindow;
  onChange: (window: TimeWindow | null) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const whole = { fromUs: 0, toUs: tree.durationUs };
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);

  useEffect(() => {
    const own = canvas.current;
    if (!own) return;
    const draw = () => drawSpans(own, tree, colorOf);
    draw();
    const sized = new ResizeObserver(draw);
    sized.observe(own);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      sized.disconnect();
      scheme.removeEventListener('change', draw);
    };
  }, [tree, colorOf]);

  const shareOf = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return (clientX - left) / width;
  };
  const marked = drag
    ? { left: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) }
    : placeIn(whole, shown.fromUs, shown.toUs);
  const isWhole = !drag && shown.fromUs === 0 && shown.toUs === tree.durationUs;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons and keys of the waterfall do the same
    <div
      className="relative cursor-crosshair touch-none select-none border-b bg-surface-sunken"
      style={{ height: HEIGHT_PX }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: shareOf(event), to: shareOf(event) });
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: shareOf(event) })}
      onPointerUp={() => {
        if (drag && Math.abs(drag.to - drag.from) > DRAG_SHARE_MIN)
          onChange(narrow(whole, drag.from, drag.to));
        setDrag(null);
      }}
      onDoubleClick={() => onChange(null)}
    >
      <canvas ref={canvas} aria-hidden className="size-full" />
      {marked && !isWhole ? (
        <div
          aria-hidden
          className="absolute inset-y-0 border-accent-line border-x-2 bg-accent-soft opacity-60"
          style={{ left: `${marked.left * 100}%`, width: `${marked.width * 100}%` }}
        />
      ) : null}
    </div>
  );
}

/** A shorter drag is a click. */
const DRAG_SHARE_MIN = 0.005;

/** A line for each span, from top to bottom in the order of reading; many share a line of pixels. */
function drawSpans(
  canvas: HTMLCanvasElement,
  { spans, durationUs }: SpanTree,
  colorOf: (project: string) => string,
) {
  const scale = window.devicePixelRatio;
  const { width, height } = canvas.getBoundingClientRect();
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext('2d');
  if (!context || spans.length === 0) return;
  const line = Math.max(scale, canvas.height / spans.length - scale);
  const color = canvasColors(canvas);
  let project: string | null = null;
  for (const [row, span] of spans.entries()) {
    if (span.project !== project) {
      ({ project } = span);
      context.fillStyle = color(colorOf(project));
    }
    const x = (span.startUs / durationUs) * canvas.width;
    const length = Math.max(scale, ((span.endUs - span.startUs) / durationUs) * canvas.width);
    context.fillRect(x, (row / spans.length) * canvas.height, length, line);
  }
}
