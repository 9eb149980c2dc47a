import { ViewSkeleton } from '../issue-skeleton.tsx';

export default function FeedbackLoading() {
  return <ViewSkeleton what="Messages" />;
}
