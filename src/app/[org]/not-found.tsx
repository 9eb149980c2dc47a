import { NotFoundState } from '#app/not-found-state.tsx';

export const metadata = { title: 'Not found' };

/** A page that an organization does not have: the side bar stays. */
export default function OrganizationNotFoundPage() {
  return <NotFoundState />;
}
