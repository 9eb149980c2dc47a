import { cx } from './cx.ts';

/** A person by initials. Give a `label` when the name does not stand beside it. */
export function Avatar({ name, label, className }: { name: string; label?: string; className?: string }) {
  return (
    <span
      title={label ?? name}
      // Drawn by the style sheet: initials are no text that is read out or copied.
      data-initials={initials(name)}
      className={cx('avatar', className)}
    >
      {label ? <span className="sr-only normal-case">{label}</span> : null}
    </span>
  );
}

/** First letters of the first and the last word: `Ana María López` is AL. */
export function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s._@-]+/)
    .filter(Boolean);
  const first = words[0] ?? '?';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return [...first]
    .slice(0, 1)
    .concat([...last].slice(0, 1))
    .join('');
}
