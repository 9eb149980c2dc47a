export { IssueSkeleton as default } from '../../issue-skeleton.tsx';
