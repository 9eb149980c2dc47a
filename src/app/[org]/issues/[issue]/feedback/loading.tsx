import { ViewSkeleton } from '../view-skeleton.tsx';

export default function FeedbackLoading() {
  return <ViewSkeleton what="Messages" />;
}
