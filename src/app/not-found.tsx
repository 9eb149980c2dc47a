import { NotFoundState } from './not-found-state.tsx';

export const metadata = { title: 'Not found' };

export default function NotFoundPage() {
  return (
    <main className="grid min-h-[70vh] place-items-center">
      <NotFoundState />
    </main>
  );
}
