import type { Metadata } from 'next';
import type { PageRequest } from '#app/url-state.ts';
import { RowsPage } from '../rows/rows-page.tsx';

export const metadata: Metadata = { title: 'Explore metrics' };

/** Values of metrics of all projects: counters, gauges, distributions and sets. */
export default function ExploreMetricsPage(request: PageRequest<'org'>) {
  return (
    <RowsPage
      page="metrics"
      request={request}
      placeholder="Search metrics: metric.name:cart.size value:>10"
      empty="SDKs send metrics with Sentry.metrics.count, gauge, and distribution."
    />
  );
}
