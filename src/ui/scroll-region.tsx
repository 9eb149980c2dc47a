import type { ReactNode } from 'react';

/** An area that scrolls by itself, by pointer and by keyboard. `label` names it for assistive technology. */
export function ScrollRegion({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a section would be one landmark more
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div role="group" aria-label={label} tabIndex={0} className={className}>
      {children}
    </div>
  );
}
