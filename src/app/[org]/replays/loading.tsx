import { ListSkeleton } from '#app/[org]/list-skeleton.tsx';
import { Page } from '#ui/page-header.tsx';

export default function ReplaysLoading() {
  return (
    <Page title="Replays" description="Recordings of what people saw and did in your apps.">
      <ListSkeleton cells={['h-4 w-60 max-w-[40%]', 'h-4 w-20', 'ml-auto h-4 w-40']} />
    </Page>
  );
}
