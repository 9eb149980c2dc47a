'use client';

import type { ReactNode } from 'react';
import { useFormStatus } from 'react-dom';
import { Button, type ButtonAppearance } from './button.tsx';

/** The submit button of the form around it; says what happens while the form is on its way. */
export function SubmitButton({
  children,
  pendingLabel,
  disabled = false,
  className,
  ...look
}: ButtonAppearance & { children: ReactNode; pendingLabel: string; disabled?: boolean; className?: string }) {
  const { pending } = useFormStatus();
  return (
    <Button
      type="submit"
      variant="primary"
      disabled={disabled}
      isPending={pending}
      className={className}
      {...look}
    >
      {pending ? pendingLabel : children}
    </Button>
  );
}
