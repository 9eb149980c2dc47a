import { Gauge } from 'lucide-react';
import { EmptyPanel } from '#app/shell/panel.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { type PerformancePlace, type PerformanceTab, performanceHref } from './performance-state.ts';

const TITLES: Readonly<Record<PerformanceTab, string>> = {
  transactions: 'No transactions match',
  'web-vitals': 'No web vitals match',
  queries: 'No queries match',
  requests: 'No outgoing requests match',
  caches: 'No cache operations match',
  queues: 'No messages match',
};

const TRACING =
  'SDKs send them once tracing is on: set tracesSampleRate (traces_sample_rate in Python, Ruby and PHP) above 0.';

const STEPS: Readonly<Record<PerformanceTab, string>> = {
  transactions: TRACING,
  'web-vitals': `Browser SDKs measure them with browserTracingIntegration. ${TRACING}`,
  queries: `Spans with the operation db are listed, which integrations for databases create. ${TRACING}`,
  requests: `Spans with the operation http.client are listed, which integrations for HTTP clients create. ${TRACING}`,
  caches: `Spans with the operations cache.get and cache.put are listed; cache.hit says whether a lookup found something. ${TRACING}`,
  queues: `Spans with the operations queue.publish and queue.process are listed. ${TRACING}`,
};

const EVERYWHERE = { projects: [], environments: [], time: { kind: 'last', period: '90d' } } as const;

/** Nothing was found: how to look further, and how to have something to find. */
export function PerformanceEmpty({ place }: { place: PerformancePlace }) {
  return (
    <EmptyPanel
      icon={<Gauge />}
      title={TITLES[place.tab]}
      actions={
        <>
          <ButtonLink href={performanceHref(place, { filters: EVERYWHERE })}>
            Search the last 90 days
          </ButtonLink>
          {place.state.query ? (
            <ButtonLink href={performanceHref(place, { query: '' })}>Clear search</ButtonLink>
          ) : null}
        </>
      }
    >
      {STEPS[place.tab]}
    </EmptyPanel>
  );
}
