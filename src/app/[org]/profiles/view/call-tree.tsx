'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { cx } from '#ui/cx.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact } from '#ui/format-number.ts';
import { FrameMark } from './function-table.tsx';
import { formatShare, placeOfFrame, type ShownProfile } from './shown-profile.ts';
import { listTreeRows, openAtFirst, openToMatches } from './tree-rows.ts';

const ROW_HEIGHT_PX = 28;
const VIEW_HEIGHT_PX = 560;
const OVERSCAN_ROWS = 12;
const INDENT_PX = 14;
/** Deeper calls are not indented any further. */
const INDENTS_MAX = 24;

/** Who called whom, and how long that took, as a tree of rows. A search opens it down to what matches. */
export function CallTree({ shown, matches }: { shown: ShownProfile; matches: readonly boolean[] | null }) {
  const first = useMemo(
    () => (matches ? openToMatches(shown, matches) : openAtFirst(shown)),
    [shown, matches],
  );
  /** Opened or closed by hand. */
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState(0);
  const open = useMemo(() => {
    const all = new Set(first);
    for (const node of toggled) if (!all.delete(node)) all.add(node);
    return all;
  }, [first, toggled]);
  const rows = useMemo(() => listTreeRows(shown, open), [shown, open]);
  const grid = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    getItemKey: (index) => rows[index]?.node ?? index,
    initialRect: { width: 0, height: VIEW_HEIGHT_PX },
  });
  const activeIndex = Math.min(active, rows.length - 1);

  function goTo(index: number): void {
    const next = Math.min(rows.length - 1, Math.max(0, index));
    setActive(next);
    virtualizer.scrollToIndex(next, { align: 'auto' });
  }

  function toggle(node: number): void {
    const next = new Set(toggled);
    if (!next.delete(node)) next.add(node);
    setToggled(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[activeIndex];
    if (!row) return;
    const caller = () => rows.findLastIndex(({ depth }, index) => index < activeIndex && depth < row.depth);
    const run = new Map<string, () => void>([
      ['ArrowDown', () => goTo(activeIndex + 1)],
      ['ArrowUp', () => goTo(activeIndex - 1)],
      ['Home', () => goTo(0)],
      ['End', () => goTo(rows.length - 1)],
      ['ArrowRight', () => (row.hasCalls && !row.isOpen ? toggle(row.node) : goTo(activeIndex + 1))],
      ['ArrowLeft', () => (row.isOpen ? toggle(row.node) : goTo(caller()))],
      ['Enter', () => row.hasCalls && toggle(row.node)],
    ]).get(event.key);
    if (!run) return;
    event.preventDefault();
    run();
  }

  const { thread, weights } = shown;
  const share = (us: number) => formatShare(us, weights.runningUs);
  return (
    <div className="text-xs">
      <div aria-hidden className="flex h-8 items-center border-b px-3 font-medium text-text-muted">
        <span className="min-w-0 flex-1">Function</span>
        <span className={NUMBER}>Total</span>
        <span className={NUMBER}>Self</span>
        <span className={cx(NUMBER, 'max-sm:hidden')}>Samples</span>
      </div>
      <div
        ref={grid}
        role="tree"
        aria-label="Call tree"
        aria-activedescendant={`${gridId}-${activeIndex}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="relative overflow-auto outline-accent-line focus-visible:outline-2 focus-visible:outline-offset-[-2px]"
        style={{ maxHeight: VIEW_HEIGHT_PX }}
      >
        <div style={{ height: virtualizer.getTotalSize() }} className="relative">
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            const frameIndex = row && thread.nodes.frames[row.node];
            const frame = frameIndex === undefined ? undefined : thread.frames[frameIndex];
            if (!row || !frame || frameIndex === undefined) return null;
            const totalUs = weights.totalUs[row.node] as number;
            const selfUs = weights.selfUs[row.node] as number;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree has the focus and the keys
              <div
                key={key}
                id={`${gridId}-${index}`}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-expanded={row.hasCalls ? row.isOpen : undefined}
                aria-selected={index === activeIndex}
                onClick={() => {
                  setActive(index);
                  if (row.hasCalls) toggle(row.node);
                }}
                className={cx(
                  'absolute inset-x-0 flex cursor-default items-center border-b px-3',
                  index === activeIndex
                    ? 'bg-accent-soft'
                    : matches?.[frameIndex]
                      ? 'bg-warning-soft'
                      : 'hover:bg-surface-hover',
                )}
                style={{ height: ROW_HEIGHT_PX, top: start }}
              >
                <span
                  className="flex min-w-0 flex-1 items-center gap-1.5"
                  style={{ paddingLeft: Math.min(row.depth, INDENTS_MAX) * INDENT_PX }}
                >
                  <span aria-hidden className="size-3.5 shrink-0 text-text-muted">
                    {row.hasCalls ? (
                      row.isOpen ? (
                        <ChevronDown className="size-3.5" />
                      ) : (
                        <ChevronRight className="size-3.5" />
                      )
                    ) : null}
                  </span>
                  <FrameMark isLibrary={frame.isLibrary} />
                  <bdi className="mono truncate" title={frame.name}>
                    {frame.name}
                  </bdi>
                  <bdi className="truncate text-text-muted max-sm:hidden" title={placeOfFrame(frame)}>
                    {placeOfFrame(frame)}
                  </bdi>
                </span>
                <span className={NUMBER}>
                  {formatElapsed(totalUs)}{' '}
                  <span className="text-text-muted max-sm:hidden">{share(totalUs)}</span>
                </span>
                <span className={NUMBER}>
                  {formatElapsed(selfUs)}{' '}
                  <span className="text-text-muted max-sm:hidden">{share(selfUs)}</span>
                </span>
                <span className={cx(NUMBER, 'max-sm:hidden')}>
                  {formatExact(weights.samples[row.node] as number)}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const NUMBER = 'numbers w-16 shrink-0 whitespace-nowrap pl-2 text-right sm:w-32';
