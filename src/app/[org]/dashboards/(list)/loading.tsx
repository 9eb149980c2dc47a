import { ListSkeleton } from '#app/[org]/list-skeleton.tsx';
import { Page } from '#ui/page-header.tsx';

export default function DashboardsLoading() {
  return (
    <Page title="Dashboards" description="Charts, tables and numbers over errors, spans, logs and metrics.">
      <ListSkeleton cells={['size-5', 'h-4 w-64 max-w-[50%]', 'ml-auto h-4 w-24']} />
    </Page>
  );
}
