import type { ReactNode } from 'react';
import { Logo } from '#ui/logo.tsx';

/** The page around what a person sees before signing in. */
export function AccountFrame({
  title,
  description,
  children,
  width = 'narrow',
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  width?: 'narrow' | 'wide';
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 py-10 sm:py-16">
      <p className="mb-6 flex items-center gap-2 font-semibold text-lg tracking-tight">
        <Logo className="size-7" />
        Errata
      </p>
      <section
        className={`w-full rounded-lg border bg-surface-raised p-5 sm:p-7 ${width === 'narrow' ? 'max-w-[420px]' : 'max-w-[680px]'}`}
      >
        <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        {description ? <div className="mt-1.5 text-sm text-text-muted">{description}</div> : null}
        <div className="mt-6">{children}</div>
      </section>
    </main>
  );
}
