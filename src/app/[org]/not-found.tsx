import { NotFoundState } from '#app/not-found-state.tsx';

export const metadata = { title: 'Not found' };

/** Something that is missing within the organization: the frame stays. */
export default function OrganizationNotFoundPage() {
  return <NotFoundState />;
}
