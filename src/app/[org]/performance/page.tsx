import type { Metadata } from 'next';
import type { PageRequest } from '#app/url-state.ts';
import { PerformanceListPage } from './performance-list-page.tsx';

export const metadata: Metadata = { title: 'Performance' };

export default async function TransactionsPage({ params, searchParams }: PageRequest<'org'>) {
  return (
    <PerformanceListPage
      organizationSlug={(await params).org}
      tab="transactions"
      params={await searchParams}
    />
  );
}
