import { ViewSkeleton } from '../view-skeleton.tsx';

export default function TagsLoading() {
  return <ViewSkeleton what="Tags" />;
}
