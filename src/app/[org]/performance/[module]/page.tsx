import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import type { PageRequest } from '#app/url-state.ts';
import { PerformanceListPage } from '../performance-list-page.tsx';
import { isModule, PERFORMANCE_TABS } from '../performance-state.ts';

type Props = PageRequest<'org' | 'module'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { module } = await params;
  return { title: PERFORMANCE_TABS.find(({ tab }) => tab === module)?.label ?? 'Performance' };
}

/** Queries, outgoing requests, caches or queues. */
export default async function ModulePage({ params, searchParams }: Props) {
  const { org, module } = await params;
  // The step above the page of a transaction.
  if (module === 'transactions') redirect(`/${org}/performance`);
  if (!isModule(module)) notFound();
  return <PerformanceListPage organizationSlug={org} tab={module} params={await searchParams} />;
}
