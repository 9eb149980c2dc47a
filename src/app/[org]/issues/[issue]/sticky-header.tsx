'use client';

import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** What stays in sight below it is as far from the top as the header is high; set on the frame around both. */
const HEIGHT = '--issue-header';

/** The header of an issue: under the top bar while one scrolls, except on phones, where room is short. */
export function StickyHeader({ children }: { children: ReactNode }) {
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = header.current;
    const frame = element?.parentElement;
    if (!element || !frame) return;
    const watch = new ResizeObserver(() => frame.style.setProperty(HEIGHT, `${element.offsetHeight}px`));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <header
      ref={header}
      className="z-20 -mx-4 space-y-1 bg-surface px-4 pt-2 pb-1 sm:-mx-6 sm:sticky sm:top-12 sm:px-6"
    >
      {children}
    </header>
  );
}
