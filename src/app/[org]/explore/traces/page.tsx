import type { Metadata } from 'next';
import type { PageRequest } from '#app/url-state.ts';
import { RowsPage } from '../rows/rows-page.tsx';

export const metadata: Metadata = { title: 'Explore traces' };

/** Spans of all projects; each leads to its trace. */
export default function ExploreTracesPage(request: PageRequest<'org'>) {
  return (
    <RowsPage
      page="traces"
      request={request}
      placeholder="Search spans: span.op:db span.duration:>500ms text"
      empty="SDKs send spans once tracing is on: set tracesSampleRate."
    />
  );
}
