import { ListSkeleton } from '#app/[org]/list-skeleton.tsx';
import { Page } from '#ui/page-header.tsx';

export default function FeedbackLoading() {
  return (
    <Page title="Feedback" description="What people who use your apps wrote to you.">
      <ListSkeleton cells={['size-8 rounded-full', 'h-4 w-96 max-w-[60%]', 'ml-auto h-4 w-24']} />
    </Page>
  );
}
