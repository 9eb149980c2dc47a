'use client';

import { useRouter } from 'next/navigation';
import { useShortcuts } from '../../../shell/use-shortcuts.ts';

/** The keys that lead to the events before and after the one that is shown. */
export function EventKeys({
  previousHref,
  nextHref,
}: {
  previousHref: string | null;
  nextHref: string | null;
}) {
  const router = useRouter();
  const go = (href: string) => () => router.push(href, { scroll: false });
  useShortcuts({
    ...(previousHref === null ? {} : { 'issue.previous-event': go(previousHref) }),
    ...(nextHref === null ? {} : { 'issue.next-event': go(nextHref) }),
  });
  return null;
}
