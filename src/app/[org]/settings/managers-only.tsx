import { useId } from 'react';
import { Button } from '#ui/button.tsx';

/** Why somebody cannot change what all projects share, and who can help. */
export const MANAGERS_ONLY = 'This is shared by all projects. Ask a manager or an owner to change it';

/** A button that the person's role does not allow, with the reason. */
export function ManagersOnly({ label, children }: { label: string; children: React.ReactNode }) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button disabled aria-describedby={id}>
        {label}
      </Button>
      <p id={id} className="min-w-0 flex-1 basis-60 text-sm text-text-muted">
        {children}
      </p>
    </div>
  );
}
