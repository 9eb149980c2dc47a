'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { useShortcuts } from '#app/shell/use-shortcuts.ts';
import { buttonClass } from '#ui/button.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { readVisitedList, type VisitedList } from '../visited-list.ts';

/** The way to the issues before and after this one in the list that one came from, and back to the list. */
export function ListNavigation({ organizationSlug, shortId }: { organizationSlug: string; shortId: string }) {
  const router = useRouter();
  const [list, setList] = useState<VisitedList | null>(null);
  useEffect(() => setList(readVisitedList(organizationSlug)), [organizationSlug]);
  const at = list?.issues.findIndex((issue) => issue.shortId === shortId) ?? -1;
  const previous = list?.issues[at - 1]?.href ?? null;
  const next = at === -1 ? null : (list?.issues[at + 1]?.href ?? null);
  const go = (href: string) => () => router.push(href);
  useShortcuts({
    'issue.back': go(list?.href ?? `/${organizationSlug}/issues`),
    ...(previous && { 'issue.previous': go(previous) }),
    ...(next && { 'issue.next': go(next) }),
  });
  if (!list || at === -1) return null;
  return (
    <nav aria-label="Issues in the list" className="flex items-center gap-1 text-text-muted text-xs">
      <Step href={previous} label="Previous issue" shortcut="k">
        <ChevronLeft aria-hidden className="size-4" />
      </Step>
      <Link
        href={list.href}
        className="numbers whitespace-nowrap no-underline hover:underline"
        title="Back to the list (u)"
      >
        {at + 1} of {list.issues.length}
        {list.hasNext ? '+' : ''}
      </Link>
      <Step href={next} label="Next issue" shortcut="j">
        <ChevronRight aria-hidden className="size-4" />
      </Step>
    </nav>
  );
}

/** A link to what is beside what is shown; without an address it is dimmed. */
export function Step({
  href,
  label,
  shortcut,
  scroll,
  children,
}: {
  href: string | null;
  label: string;
  shortcut: string;
  /** false keeps the place on the page. */
  scroll?: boolean;
  children: ReactNode;
}) {
  const className = buttonClass({ size: 'sm', iconOnly: true });
  if (href === null) {
    return (
      <span aria-hidden className={`${className} opacity-45`}>
        {children}
      </span>
    );
  }
  return (
    <Link
      href={href}
      aria-label={label}
      title={`${label} (${shortcut})`}
      className={className}
      scroll={scroll}
    >
      {children}
    </Link>
  );
}
