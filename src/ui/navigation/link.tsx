'use client';

import NextLink from 'next/link';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { asksBeforeLeaving } from './leave-guards.ts';

export type LinkProps = Omit<ComponentProps<typeof NextLink>, 'href' | 'prefetch'> & { href: string };

/** A pointer that only passes over a link loads nothing. */
const INTENT_DELAY_MS = 70;

/**
 * A link within the app. Its page is loaded ahead only when somebody points at it or focuses it, and not on a slow
 * connection; the route loader lets at most five such loads run at a time.
 */
export function Link({
  onMouseEnter,
  onMouseLeave,
  onFocus,
  onBlur,
  onTouchStart,
  onClick,
  onNavigate,
  ...props
}: LinkProps) {
  const [isIntended, setIsIntended] = useState(false);
  const isFollowed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const intend = () => {
    if (!isSlowConnection()) setIsIntended(true);
  };
  const intendSoon = () => {
    isFollowed.current = false;
    clearTimeout(timer.current);
    timer.current = setTimeout(intend, INTENT_DELAY_MS);
  };
  const leave = () => {
    clearTimeout(timer.current);
    // Who follows the link waits for what is loaded ahead.
    if (!isFollowed.current) setIsIntended(false);
  };
  return (
    <NextLink
      prefetch={isIntended}
      onMouseEnter={(event) => {
        intendSoon();
        onMouseEnter?.(event);
      }}
      onMouseLeave={(event) => {
        leave();
        onMouseLeave?.(event);
      }}
      onFocus={(event) => {
        intendSoon();
        onFocus?.(event);
      }}
      onBlur={(event) => {
        leave();
        onBlur?.(event);
      }}
      onTouchStart={(event) => {
        intend();
        onTouchStart?.(event);
      }}
      onClick={(event) => {
        isFollowed.current = true;
        onClick?.(event);
      }}
      onNavigate={(event) => {
        if (asksBeforeLeaving(props.href)) event.preventDefault();
        else onNavigate?.(event);
      }}
      {...props}
    />
  );
}

type NetworkInformation = { saveData?: boolean; effectiveType?: string };

/** Whether the reader saves data or is on a slow network: then nothing is loaded before it is asked for. */
export function isSlowConnection(
  connection = (navigator as Navigator & { connection?: NetworkInformation }).connection,
): boolean {
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '');
}
