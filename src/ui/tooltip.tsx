'use client';

import { cloneElement, type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';

const DELAY_MS = 350;
const GAP = 6;
const EDGE = 8;

type TargetProps = { 'aria-describedby'?: string };

/** Words for something that has a name already (an icon button's label); never the only place of a fact. */
export function Tooltip({
  content,
  children,
  side = 'top',
}: {
  content: ReactNode;
  /** The element that is pointed at. */
  children: ReactElement;
  side?: 'top' | 'bottom';
}) {
  const id = useId();
  const area = useRef<HTMLSpanElement>(null);
  const popup = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function show() {
    const target = area.current?.firstElementChild;
    if (!target || !popup.current || popup.current.matches(':popover-open')) return;
    popup.current.showPopover();
    place(popup.current, target.getBoundingClientRect(), side);
  }

  function hide() {
    clearTimeout(timer.current);
    if (popup.current?.matches(':popover-open')) popup.current.hidePopover();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: watches the element inside, which is the one people use
    <span
      ref={area}
      className="contents"
      onPointerOver={() => {
        clearTimeout(timer.current);
        timer.current = setTimeout(show, DELAY_MS);
      }}
      onPointerOut={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hide();
      }}
    >
      {cloneElement(children as ReactElement<TargetProps>, { 'aria-describedby': id })}
      <span
        ref={popup}
        id={id}
        role="tooltip"
        popover="manual"
        className="pointer-events-none m-0 max-w-72 rounded-md bg-text px-2 py-1 text-surface text-xs shadow-float"
      >
        {content}
      </span>
    </span>
  );
}

/** Centred above or below the target, on the other side where there is no room, and within the window. */
function place(popup: HTMLElement, target: DOMRect, side: 'top' | 'bottom'): void {
  const { width, height } = popup.getBoundingClientRect();
  const above = target.top - height - GAP;
  const below = target.bottom + GAP;
  const fitsBelow = below + height <= window.innerHeight - EDGE;
  const top = side === 'top' ? (above >= EDGE ? above : below) : fitsBelow ? below : above;
  const left = target.left + target.width / 2 - width / 2;
  popup.style.inset = 'auto';
  popup.style.top = `${top}px`;
  popup.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE))}px`;
}
