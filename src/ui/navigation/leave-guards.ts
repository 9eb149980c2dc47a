/** Asks the reader, and goes on to `href` by itself. */
type LeaveGuard = (href: string) => void;

const guards = new Set<LeaveGuard>();

/** From now on links and shortcuts ask this instead of leaving the page. Returns how to end it. */
export function guardLeaving(guard: LeaveGuard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** Whether the reader is asked first: then the caller goes nowhere. */
export function asksBeforeLeaving(href: string): boolean {
  const [guard] = guards;
  guard?.(href);
  return guard !== undefined;
}
