'use client';

import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react';

/** Buckets by index, both included. */
type BucketSpan = { first: number; last: number };

/**
 * The bucket that is looked at, and the span that is being chosen: by dragging, or with Shift and the arrow keys and
 * Enter. Without `onSelect` nothing can be chosen.
 */
export function useBucketSelection(count: number, onSelect: ((span: BucketSpan) => void) | null) {
  const [active, setActive] = useState<number | null>(null);
  /** Where the span began; null while none is being chosen. */
  const [anchor, setAnchor] = useState<number | null>(null);
  const at = Math.min(active ?? count - 1, count - 1);
  const span =
    anchor !== null && active !== null && anchor !== active
      ? { first: Math.min(anchor, active), last: Math.max(anchor, active) }
      : null;

  const clamp = (index: number) => Math.min(count - 1, Math.max(0, index));

  function bucketAt(event: PointerEvent<HTMLElement>): number {
    const box = event.currentTarget.getBoundingClientRect();
    return clamp(Math.floor(((event.clientX - box.left) / box.width) * count));
  }

  function choose(chosen: BucketSpan): void {
    setAnchor(null);
    setActive(null);
    onSelect?.(chosen);
  }

  return {
    at,
    active,
    span,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (!onSelect || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setAnchor(bucketAt(event));
        setActive(bucketAt(event));
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        setActive(bucketAt(event));
      },
      onPointerUp() {
        // A press that stays where it is only looks.
        if (span) choose(span);
        else setAnchor(null);
      },
      onPointerCancel() {
        setAnchor(null);
      },
      onPointerLeave() {
        if (anchor === null) setActive(null);
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.key === 'Enter' && onSelect && active !== null) {
          event.preventDefault();
          choose(span ?? { first: at, last: at });
          return;
        }
        if (event.key === 'Escape' && anchor !== null) {
          event.preventDefault();
          event.stopPropagation();
          setAnchor(null);
          return;
        }
        const moves: Record<string, number> = {
          ArrowLeft: at - 1,
          ArrowRight: at + 1,
          Home: 0,
          End: count - 1,
        };
        const next = moves[event.key];
        if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        if (!event.shiftKey) setAnchor(null);
        else if (anchor === null && onSelect) setAnchor(at);
        setActive(clamp(next));
      },
      onFocus(event: FocusEvent<HTMLElement>) {
        if (event.currentTarget.matches(':focus-visible')) setActive(at);
      },
      onBlur() {
        setActive(null);
        setAnchor(null);
      },
    },
  };
}
