import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

/** Label, control, hint and error, one under the other. The control carries the ids that `fieldIds` gives. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
  className,
}: {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const ids = fieldIds(id);
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="font-medium text-sm text-text">
        {label}
      </label>
      {children}
      {error ? <FieldProblem id={ids.error}>{error}</FieldProblem> : null}
      {hint ? (
        <p id={ids.hint} className="text-text-muted text-xs">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** What is wrong with a field; `id` is what the control is described by. */
export function FieldProblem({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-danger text-xs">
      <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** Ids of the parts of a field, for `aria-describedby`. */
export function fieldIds(id: string): { hint: string; error: string } {
  return { hint: `${id}-hint`, error: `${id}-error` };
}

/** A labelled one-line text field with its hint, or its error instead, announced to assistive technology. */
export function TextField({
  label,
  hint,
  error,
  className,
  id: givenId,
  ...input
}: Omit<ComponentProps<'input'>, 'children'> & { label: ReactNode; hint?: ReactNode; error?: ReactNode }) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const ids = fieldIds(id);
  // An error says what the hint did, and why it matters now.
  const shownHint = error ? null : hint;
  const describedBy = (error && ids.error) || (shownHint && ids.hint) || undefined;
  return (
    <Field id={id} label={label} hint={shownHint} error={error} className={className}>
      <Input id={id} aria-invalid={error ? true : undefined} aria-describedby={describedBy} {...input} />
    </Field>
  );
}

export const inputClass = 'text-input w-full px-2.5 text-sm';

/** A one-line text field without its label; see TextField for one with. `isCompact` fits tool bars. */
export function Input({
  isCompact = false,
  className,
  ...props
}: ComponentProps<'input'> & { isCompact?: boolean }) {
  return <input className={cx(inputClass, isCompact ? 'h-8' : 'h-9', className)} {...props} />;
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea className={cx(inputClass, 'min-h-20 py-2', className)} {...props} />;
}
