'use client';

import { Grip, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState, useTransition } from 'react';
import { GRID_COLUMNS, WIDGET_HEIGHT_MAX } from '#domain/dashboards/widget-choices.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { showToast } from '#ui/toast.tsx';
import { moved, resized, type WidgetSize } from './arrangement.ts';

type Arrange = (input: {
  id: number;
  version: number;
  widgets: { id: string; width: number; height: number }[];
}) => Promise<string | null>;

const WIDTHS = [
  '',
  'lg:col-span-1',
  'lg:col-span-2',
  'lg:col-span-3',
  'lg:col-span-4',
  'lg:col-span-5',
  'lg:col-span-6',
];
const HEIGHTS = ['', 'min-h-36 lg:h-36', 'min-h-60 lg:h-76', 'min-h-60 lg:h-116', 'min-h-60 lg:h-156'];

/**
 * Widgets in their order, as wide and high as each is. With `arrange`, they are moved by their handles: by pointer, or with
 * the arrow keys, and resized with Shift and the arrow keys. Nothing is kept before it is saved.
 */
export function WidgetGrid({
  sizes: given,
  arrange,
  seen,
  doneHref,
  children,
}: {
  sizes: readonly WidgetSize[];
  /** null for reading. */
  arrange: Arrange | null;
  /** The dashboard as it was read. */
  seen: { id: number; version: number };
  /** Where the page is for reading. */
  doneHref: string;
  /** The widgets, in the order of `sizes`. */
  children: readonly ReactNode[];
}) {
  const router = useRouter();
  const [sizes, setSizes] = useState(given);
  const [dragged, setDragged] = useState<string | null>(null);
  const [said, say] = useState('');
  const [isSaving, startSaving] = useTransition();

  function save() {
    if (arrange === null) return;
    startSaving(async () => {
      const widgets = sizes.map(({ id, width, height }) => ({ id, width, height }));
      const refusal = await arrange({ ...seen, widgets });
      if (refusal !== null) return showToast({ title: refusal, tone: 'danger' });
      showToast({ title: 'Layout saved' });
      router.push(doneHref);
    });
  }

  function onKeyDown(event: KeyboardEvent, widget: WidgetSize) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = event.shiftKey ? resized(sizes, widget.id, step) : moved(sizes, widget.id, step.x + step.y);
    setSizes(next);
    const at = next.findIndex(({ id }) => id === widget.id);
    const { width, height } = next[at] ?? widget;
    say(
      event.shiftKey
        ? `${widget.title}: ${width} of ${GRID_COLUMNS} columns wide, ${height} of ${WIDGET_HEIGHT_MAX} high`
        : `${widget.title}: place ${at + 1} of ${next.length}`,
    );
  }

  function onPointerMove(event: PointerEvent) {
    if (dragged === null) return;
    const over = document
      .elementFromPoint(event.clientX, event.clientY)
      ?.closest('[data-widget]')
      ?.getAttribute('data-widget');
    const at = sizes.findIndex(({ id }) => id === over);
    const from = sizes.findIndex(({ id }) => id === dragged);
    if (at !== -1 && at !== from) setSizes(moved(sizes, dragged, at - from));
  }

  return (
    <>
      {arrange ? (
        <div className="mb-3 flex flex-wrap items-center gap-2 rounded-lg border bg-surface-raised px-3 py-2 text-sm">
          <span className="text-text-muted">
            Drag the handles. With the keyboard: arrow keys move, Shift with arrow keys resizes.
          </span>
          <span className="ml-auto flex gap-2">
            <Button onClick={() => router.push(doneHref)}>Cancel</Button>
            <Button variant="primary" isPending={isSaving} onClick={save}>
              Save layout
            </Button>
          </span>
        </div>
      ) : null}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2 lg:grid-cols-6">
        {sizes.map((widget) => (
          <div
            key={widget.id}
            data-widget={widget.id}
            className={cx(
              'relative min-w-0',
              // The handles lie over the end of the title.
              arrange && '[&_.card-title]:pr-20',
              WIDTHS[widget.width],
              HEIGHTS[widget.height],
              dragged === widget.id && 'opacity-60',
            )}
          >
            {arrange ? (
              <div className="absolute top-1 right-1.5 z-10 flex gap-1">
                <button
                  type="button"
                  aria-label={`Move or resize ${widget.title}`}
                  title="Drag to move. Arrow keys move, Shift with arrow keys resizes."
                  className="grid size-8 cursor-grab touch-none place-items-center rounded-md border bg-surface-raised text-text-muted shadow-float hover:text-text"
                  onKeyDown={(event) => onKeyDown(event, widget)}
                  onPointerDown={(event) => {
                    event.currentTarget.setPointerCapture(event.pointerId);
                    setDragged(widget.id);
                  }}
                  onPointerMove={onPointerMove}
                  onPointerUp={() => setDragged(null)}
                  onPointerCancel={() => setDragged(null)}
                >
                  <Grip aria-hidden className="size-4" />
                </button>
                <Button
                  size="md"
                  iconOnly
                  aria-label={`Remove ${widget.title}`}
                  title="Remove"
                  onClick={() => setSizes(sizes.filter(({ id }) => id !== widget.id))}
                >
                  <Trash2 aria-hidden className="size-4" />
                </Button>
              </div>
            ) : null}
            {children[given.findIndex(({ id }) => id === widget.id)]}
          </div>
        ))}
      </div>
    </>
  );
}

const STEPS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
