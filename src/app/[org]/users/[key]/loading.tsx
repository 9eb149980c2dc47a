import { ListSkeleton } from '#app/[org]/list-skeleton.tsx';
import { Page } from '#ui/page-header.tsx';

export default function UserLoading() {
  return (
    <Page title="User">
      <ListSkeleton cells={['h-4 w-44', 'h-4 w-24', 'ml-auto h-4 w-72 max-w-[40%]']} />
    </Page>
  );
}
