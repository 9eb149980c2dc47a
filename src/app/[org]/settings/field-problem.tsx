import { CircleAlert } from 'lucide-react';

/** What is wrong with a field that has no frame of its own; `id` is what the field is described by. */
export function FieldProblem({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-danger text-xs">
      <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
