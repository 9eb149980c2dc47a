import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export type Tone = 'neutral' | 'accent' | 'danger' | 'warning' | 'success' | 'info';

/** A small label for a state. `icon` gives the state a shape as well as a colour. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
  title,
  className,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
  title?: string;
  className?: string;
}) {
  return (
    <span title={title} className={cx('badge', TONES[tone], className)}>
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}

const TONES: Record<Tone, string> = {
  neutral: 'bg-surface-pressed text-text-muted',
  accent: 'bg-accent-soft text-accent',
  danger: 'bg-danger-soft text-danger',
  warning: 'bg-warning-soft text-warning',
  success: 'bg-success-soft text-success',
  info: 'bg-info-soft text-info',
};
