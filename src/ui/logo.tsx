/** The proofreader's caret under a line of text: something is missing here. */
export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="7" fill="oklch(0.4 0.145 265)" />
      <path d="M7 12.5h18" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
      <path
        d="m10.5 24 5.5-8 5.5 8"
        fill="none"
        stroke="#ff8a70"
        strokeWidth="2.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
