import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { Logo } from '#app/shell/logo.tsx';
import { visibleData, visibleStart } from '#lib/visible-text.ts';
import { getServices } from '#product/services.ts';
import { openSharedIssue } from '#product/sharing/open-shared-issue.ts';
import { Card } from '#ui/card.tsx';
import { formatExact } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SharedStack } from './shared-stack.tsx';

type Props = { params: Promise<{ token: string }> };

const load = cache(async (token: string) => visibleData(await openSharedIssue(getServices(), token)));

/** Search engines pass by, and no site is told where its visitor came from. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const shared = await load((await params).token);
  return {
    title: shared ? visibleStart(shared.title, 120) : 'Not found',
    robots: { index: false, follow: false, nocache: true },
    referrer: 'no-referrer',
  };
}

/** One issue for everybody who has the address: what was chosen to be shown, and nothing of the organization's pages. */
export default async function SharedIssuePage({ params }: Props) {
  const shared = await load((await params).token);
  if (!shared) notFound();
  const now = getServices().now();
  const facts: readonly [string, React.ReactNode][] = [
    ['Events', formatExact(shared.timesSeen)],
    ['First seen', <RelativeTime key="first" at={shared.firstSeen} now={now} />],
    ['Last seen', <RelativeTime key="last" at={shared.lastSeen} now={now} />],
    ['Shared until', new Date(shared.expiresAt).toISOString().slice(0, 10)],
  ];
  return (
    <main className="mx-auto w-full max-w-[960px] px-4 py-8 sm:px-6">
      <p className="mb-6 flex items-center gap-2 text-sm text-text-muted">
        <Logo className="size-5" />
        An issue that was shared with you
      </p>
      <header className="mb-5">
        <h1 className="break-anything font-semibold text-lg leading-snug sm:text-xl">
          <bdi>{shared.title}</bdi>
        </h1>
        {shared.type === null ? null : (
          <p className="mono break-anything mt-1.5 text-text-muted text-xs">
            <bdi>{shared.type}</bdi>
          </p>
        )}
      </header>
      <dl className="mb-5 grid grid-cols-2 gap-x-4 gap-y-2.5 rounded-lg border bg-surface-raised px-4 py-3 text-sm sm:grid-cols-4">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-text-muted text-xs">{label}</dt>
            <dd className="break-anything numbers">{value}</dd>
          </div>
        ))}
      </dl>
      {shared.exceptions.length > 0 ? (
        <SharedStack exceptions={shared.exceptions} />
      ) : (
        <Card>
          <p className="text-sm text-text-muted">There is no stack trace to show.</p>
        </Card>
      )}
    </main>
  );
}
