import { ViewSkeleton } from '../issue-skeleton.tsx';

export default function TagsLoading() {
  return <ViewSkeleton what="Tags" />;
}
