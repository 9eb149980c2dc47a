import { Unlink } from 'lucide-react';
import { EmptyState } from '#ui/empty-state.tsx';

/** What a public address shows that is shared no more, or never was: its reader may have no account to go to. */
export function DeadLinkState() {
  return (
    <main className="grid min-h-[70vh] place-items-center">
      <EmptyState icon={<Unlink />} level={1} title="This link doesn’t work">
        It was turned off or has expired, or part of the address is missing. Ask whoever sent it for a new
        one.
      </EmptyState>
    </main>
  );
}
