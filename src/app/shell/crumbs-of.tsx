'use client';

import { ChevronRight } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { visibleText } from '#lib/visible-text.ts';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';
import { decodeSegment } from './navigation-sections.ts';

type Crumb = { href: string; label: string };

const sentenceCase = (step: string): string =>
  step.charAt(0).toUpperCase() + step.slice(1).replaceAll('-', ' ');

/** Steps that are called otherwise than in the address. */
const LABELS: Readonly<Record<string, string>> = {
  new: 'Create project',
  keys: 'Client keys',
  'getting-started': 'SDK setup',
  filters: 'Inbound filters',
  mappings: 'ProGuard mappings',
  'debug-files': 'Debug files',
  'how-to': 'How to upload',
  discarded: 'Discarded issues',
  tokens: 'Auth tokens',
  auth: 'Security & SSO',
  overview: 'Weekly summary',
  capacity: 'Load and capacity',
};

const EVENT_ID_SHOWN = 8;

/** The steps from the organization's section down to the page; the last one is the page itself. */
export function crumbsOf(pathname: string, organizationSlug: string): Crumb[] {
  const [first, ...rest] = pathname.split('/').filter(Boolean).map(decodeSegment);
  const steps = joined(first === 'i' ? ['issues', ...rest] : rest);
  return steps.map((step, index) => ({
    href: `/${[organizationSlug, ...steps.slice(0, index + 1)].map(encodeURIComponent).join('/')}`,
    label: labelOf(step, steps[index - 1]),
  }));
}

/** A version may hold slashes and is one step all the same; a continuous profile is one of its project as any other. */
function joined(steps: readonly string[]): readonly string[] {
  const [section, ...below] = steps;
  if (section === 'releases') return [section, below.join('/')].filter(Boolean);
  return section === 'profiles' ? steps.filter((step, index) => index !== 2 || step !== 'continuous') : steps;
}

/** What is below these has a number, which says less than what it is. */
const NUMBERED_BELOW: Readonly<Record<string, string>> = {
  alerts: 'Alert rule',
  dashboards: 'Dashboard',
  destinations: 'Destination',
  crons: 'Cron monitor',
  uptime: 'Uptime monitor',
};

/** What is below these has a name of its own. */
const NAMED_BELOW = 'events traces profiles replays releases transactions projects source-maps users'.split(
  ' ',
);

function labelOf(step: string, parent = ''): string {
  if (parent === 'issues') return step.toUpperCase();
  if (/^[0-9a-f]{32}$/.test(step)) return step.slice(0, EVENT_ID_SHOWN);
  const numbered = NUMBERED_BELOW[parent];
  if (numbered && step !== 'status-page') return step === 'new' ? 'New' : numbered;
  return LABELS[step] ?? (NAMED_BELOW.includes(parent) ? step : sentenceCase(step));
}

/** Where the page is, from its address. */
export function Breadcrumb({ organization }: { organization: { slug: string; name: string } }) {
  const crumbs = crumbsOf(usePathname(), organization.slug);
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm">
        {crumbs.map((crumb, index) => (
          <li
            key={crumb.href}
            // A phone has room for the page and where it belongs.
            className={cx('flex min-w-0 items-center gap-1', index < crumbs.length - 2 && 'max-sm:hidden')}
          >
            {index > 0 ? (
              <ChevronRight
                aria-hidden
                className={cx(
                  'size-3.5 shrink-0 text-text-faint',
                  // Nothing stands before the first that a phone shows.
                  index === crumbs.length - 2 && 'max-sm:hidden',
                )}
              />
            ) : null}
            {index === crumbs.length - 1 ? (
              <bdi aria-current="page" className="truncate font-medium">
                {visibleText(crumb.label)}
              </bdi>
            ) : (
              <Link
                href={crumb.href}
                className="truncate rounded-xs text-text-muted no-underline hover:text-text"
              >
                <bdi>{visibleText(crumb.label)}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
