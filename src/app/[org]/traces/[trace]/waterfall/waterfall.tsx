'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useSearchField } from '#app/shell/use-shortcuts.ts';
import { cx } from '#ui/cx.ts';
import type { TraceMark } from '../place-errors.ts';
import { enclosingProfile, type TraceProfile } from '../place-profiles.ts';
import { useSelectedSpan } from '../use-selected-span.ts';
import { Minimap } from './minimap.tsx';
import type { PackedSpans } from './packed-spans.ts';
import { SpanDetails } from './span-details.tsx';
import type { ShownSpan } from './span-tree.ts';
import { zoom } from './time-window.ts';
import { useWaterfall } from './use-waterfall.ts';
import { ROW_HEIGHT_PX, RowCells, type RowScene } from './waterfall-row.tsx';
import type { WaterfallRow } from './waterfall-rows.ts';
import { TimeAxis, WaterfallTools } from './waterfall-tools.tsx';

const OVERSCAN_ROWS = 12;
const VIEW_HEIGHT_PX = 560;
const ROWS_PER_PAGE = 15;

/** The spans of a trace in time, of all projects. The selected one stands in the address. */
export function Waterfall({
  organizationSlug,
  traceId,
  packed,
  errors,
  profiles,
}: {
  organizationSlug: string;
  traceId: string;
  packed: PackedSpans;
  errors: readonly TraceMark[];
  profiles: readonly TraceProfile[];
}) {
  const [selectedId, select] = useSelectedSpan();
  const waterfall = useWaterfall(packed, errors, selectedId);
  const { tree, rows, selected, window: shown } = waterfall;
  const search = useSearchField();
  const grid = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    getItemKey: (index) => rows[index]?.key ?? index,
    initialRect: { width: 0, height: VIEW_HEIGHT_PX },
  });
  const activeIndex = selected ? rows.findIndex((row) => spanOf(row) === selected) : -1;

  // Selected from elsewhere, it may be hidden or out of view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another selection moves the rows
  useEffect(() => {
    if (!selected) return;
    if (activeIndex < 0) waterfall.reveal(selected);
    else virtualizer.scrollToIndex(activeIndex, { align: 'auto' });
  }, [selected, activeIndex >= 0]);

  function goTo(index: number): void {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    const span = row && spanOf(row);
    if (span) select(span.spanId);
    else if (row) goTo(index > activeIndex ? index + 1 : index - 1);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[activeIndex];
    const run = new Map<string, () => void>([
      ['ArrowDown', () => goTo(activeIndex + 1)],
      ['ArrowUp', () => goTo(activeIndex - 1)],
      ['PageDown', () => goTo(activeIndex + ROWS_PER_PAGE)],
      ['PageUp', () => goTo(activeIndex - ROWS_PER_PAGE)],
      ['Home', () => goTo(0)],
      ['End', () => goTo(rows.length - 1)],
      ['ArrowRight', () => (row && isClosed(row) ? waterfall.toggle(row.key) : goTo(activeIndex + 1))],
      ['ArrowLeft', () => (row && isOpen(row) ? waterfall.toggle(row.key) : goUp())],
      ['Escape', () => select(null)],
      ['+', () => waterfall.setWindow(zoom(shown, 1 / 2, tree.durationUs))],
      ['-', () => waterfall.setWindow(zoom(shown, 2, tree.durationUs))],
      ['0', () => waterfall.setWindow(null)],
    ]).get(event.key);
    if (!run) return;
    event.preventDefault();
    run();
  }

  function goUp(): void {
    if (selected?.parent) select(selected.parent.spanId);
  }

  /** The next match after the selected span, or the one before; round at the ends. */
  function goToMatch(step: 1 | -1): void {
    const { matches } = waterfall;
    const from = selected?.index ?? -1;
    const match =
      step === 1
        ? (matches.find(({ index }) => index > from) ?? matches[0])
        : (matches.findLast(({ index }) => index < from) ?? matches.at(-1));
    if (!match) return;
    waterfall.reveal(match);
    select(match.spanId);
  }

  const scene: RowScene = {
    window: shown,
    colorOf: waterfall.colorOf,
    errorsOf: waterfall.errorsOf,
    criticalOf: waterfall.criticalOf,
    hasSeveralProjects:
      tree.roots.some(({ project }) => project !== tree.roots[0]?.project) || hasSeveral(tree.spans),
  };
  const found = new Set(waterfall.matches);
  return (
    <section
      id="waterfall"
      aria-label="Waterfall"
      className={cx(
        'grid min-w-0 scroll-mt-16 items-start gap-4',
        selected && 'xl:grid-cols-[minmax(0,1fr)_auto]',
      )}
    >
      <div className="@container min-w-0 overflow-hidden rounded-lg border bg-surface-raised">
        <WaterfallTools waterfall={waterfall} search={search} onMatch={goToMatch} />
        <Minimap tree={tree} colorOf={waterfall.colorOf} window={shown} onChange={waterfall.setWindow} />
        <TimeAxis window={shown} />
        <div
          ref={grid}
          role="tree"
          aria-label="Spans"
          aria-activedescendant={activeIndex >= 0 ? `${gridId}-${activeIndex}` : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          className="relative overflow-auto outline-accent-line focus-visible:outline-2"
          style={{ maxHeight: VIEW_HEIGHT_PX }}
        >
          <div style={{ height: virtualizer.getTotalSize() }} className="relative">
            {virtualizer.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index];
              const span = row && spanOf(row);
              return row ? (
                // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree has the focus and the keys
                <div
                  key={key}
                  id={`${gridId}-${index}`}
                  role="treeitem"
                  aria-level={row.depth + 1}
                  aria-expanded={row.kind !== 'gap' && canOpen(row) ? row.isOpen : undefined}
                  aria-selected={index === activeIndex}
                  onClick={() => {
                    if (row.kind === 'repeats') waterfall.toggle(row.key);
                    else if (span) select(span.spanId);
                  }}
                  className={cx(
                    'absolute inset-x-0 flex cursor-default border-b',
                    index === activeIndex
                      ? 'bg-accent-soft'
                      : span && found.has(span)
                        ? 'bg-warning-soft'
                        : 'hover:bg-surface-hover',
                  )}
                  style={{ height: ROW_HEIGHT_PX, top: start }}
                >
                  <RowCells row={row} scene={scene} onToggle={() => waterfall.toggle(row.key)} />
                </div>
              ) : null;
            })}
          </div>
        </div>
      </div>
      {selected ? (
        <SpanDetails
          key={selected.spanId}
          organizationSlug={organizationSlug}
          traceId={traceId}
          span={selected}
          errors={errors.filter(({ spanId }) => spanId === selected.spanId)}
          profile={enclosingProfile(selected, profiles)}
          onClose={() => select(null)}
          onSelect={(span) => select(span.spanId)}
        />
      ) : null}
    </section>
  );
}

/** The span that a row stands for: of repeats the first. */
const spanOf = (row: WaterfallRow): ShownSpan | null =>
  row.kind === 'span' ? row.span : row.kind === 'repeats' && !row.isOpen ? row.spans[0] : null;

const canOpen = (row: Exclude<WaterfallRow, { kind: 'gap' }>): boolean =>
  row.kind === 'repeats' || row.span.children.length > 0;

const isOpen = (row: WaterfallRow): boolean => row.kind !== 'gap' && row.isOpen;

const isClosed = (row: WaterfallRow): boolean => row.kind !== 'gap' && !row.isOpen && canOpen(row);

const hasSeveral = (spans: readonly ShownSpan[]): boolean =>
  spans.some(({ project }) => project !== spans[0]?.project);
