import { ListSkeleton } from '#app/[org]/list-skeleton.tsx';
import { Page } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export default function ErrorsLoading() {
  return (
    <Page title="Explore errors" description="Search and aggregate what your projects have sent.">
      <ListSkeleton cells={['h-4 w-64', 'ml-auto h-4 w-80 max-w-[50%]']}>
        <Skeleton className="mb-3 h-[254px] w-full" />
        <Skeleton className="mb-3 h-8 w-full" />
      </ListSkeleton>
    </Page>
  );
}
