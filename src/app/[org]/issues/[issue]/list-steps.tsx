'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useShortcuts } from '#app/shell/use-shortcuts.ts';
import { Link } from '#ui/navigation/link.tsx';
import { readVisitedList, type VisitedList } from '../visited-list.ts';
import { StepLink } from './step-link.tsx';

/** The address of the list that one came from, else of the list as it opens. */
export const listHref = (organizationSlug: string): string =>
  readVisitedList(organizationSlug)?.href ?? `/${organizationSlug}/issues`;

/** The way to the issues before and after this one in the list that one came from, and back to the list. */
export function ListSteps({ organizationSlug, shortId }: { organizationSlug: string; shortId: string }) {
  const router = useRouter();
  const [list, setList] = useState<VisitedList | null>(null);
  useEffect(() => setList(readVisitedList(organizationSlug)), [organizationSlug]);
  const at = list?.issues.findIndex((issue) => issue.shortId === shortId) ?? -1;
  const previous = list?.issues[at - 1]?.href ?? null;
  const next = at === -1 ? null : (list?.issues[at + 1]?.href ?? null);
  const go = (href: string) => () => router.push(href);
  useShortcuts({
    ...(previous && { 'issue.previous': go(previous) }),
    ...(next && { 'issue.next': go(next) }),
  });
  if (!list || at === -1) return null;
  return (
    <nav aria-label="Issues in the list" className="flex items-center gap-1 text-text-muted text-xs">
      <StepLink href={previous} label="Previous issue" shortcut="k">
        <ChevronLeft aria-hidden className="size-4" />
      </StepLink>
      <Link
        href={list.href}
        className="numbers whitespace-nowrap no-underline hover:underline"
        title="Back to the list (u)"
      >
        {at + 1} of {list.issues.length}
        {list.hasNext ? '+' : ''}
      </Link>
      <StepLink href={next} label="Next issue" shortcut="j">
        <ChevronRight aria-hidden className="size-4" />
      </StepLink>
    </nav>
  );
}
