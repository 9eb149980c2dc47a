import { ExternalLink as ExternalIcon } from 'lucide-react';
import { buttonClass } from '#ui/button.tsx';

/** Opens the event as it is stored, in a page of its own. */
export function OpenJson({ href }: { href: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={buttonClass({ size: 'sm' })}>
      <ExternalIcon aria-hidden className="size-3.5" />
      Open the event as JSON
    </a>
  );
}
