import { DeadLinkState } from '#app/dead-link-state.tsx';

export const metadata = { title: 'Link not found' };

export default function ShareNotFoundPage() {
  return <DeadLinkState />;
}
