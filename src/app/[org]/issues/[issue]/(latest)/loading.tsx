import { IssueSkeleton } from '../issue-skeleton.tsx';

export default function Loading() {
  return <IssueSkeleton />;
}
