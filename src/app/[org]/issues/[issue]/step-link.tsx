import type { ReactNode } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { Link } from '#ui/navigation/link.tsx';

/** A link to what is beside what is shown; without an address it is dimmed. */
export function StepLink({
  href,
  label,
  shortcut,
  scroll,
  children,
}: {
  href: string | null;
  label: string;
  shortcut: string;
  /** false keeps the place on the page. */
  scroll?: boolean;
  children: ReactNode;
}) {
  const className = buttonClass({ size: 'sm', iconOnly: true });
  if (href === null) {
    return (
      <span aria-hidden className={`${className} opacity-45`}>
        {children}
      </span>
    );
  }
  return (
    <Link
      href={href}
      aria-label={label}
      title={`${label} (${shortcut})`}
      className={className}
      scroll={scroll}
    >
      {children}
    </Link>
  );
}
