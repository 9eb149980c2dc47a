import type { ReactNode } from 'react';
import { cx } from './cx.ts';

/**
 * A link to an address that came from outside. It is a link only when the address is http or https; everything else
 * stays text, so that `javascript:` and the like can never be followed.
 */
export function ExternalLink({
  href,
  children,
  className,
}: {
  href: string;
  children?: ReactNode;
  className?: string;
}) {
  const content = <bdi>{children ?? href}</bdi>;
  if (!isWebAddress(href)) return <span className={cx('break-anything', className)}>{content}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer nofollow noopener"
      className={cx('break-anything link', className)}
    >
      {content}
    </a>
  );
}

/** Whether the text is an absolute http or https address. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  return URL.canParse(text);
}
