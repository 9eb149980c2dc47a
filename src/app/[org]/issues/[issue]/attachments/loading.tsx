import { ViewSkeleton } from '../view-skeleton.tsx';

export default function AttachmentsLoading() {
  return <ViewSkeleton what="Attachments" />;
}
