/** The mark by which one failure is found in the server's log and among the events; null for an error without one. */
export function digestOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return null;
  return String(error.digest);
}
