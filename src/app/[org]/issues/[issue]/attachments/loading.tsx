import { ViewSkeleton } from '../issue-skeleton.tsx';

export default function AttachmentsLoading() {
  return <ViewSkeleton what="Attachments" />;
}
