/** Given by the specification: what a reader sees in place of a page that failed. */
export const applicationErrorTitle = (side: 'client' | 'server'): string =>
  `Application error: a ${side}-side exception has occurred`;

export const SERVER_ERROR_HINT =
  'Try again. If the problem persists, contact the administrator of this server, who can find details by the digest in the server logs and in the “Errata itself” project.';

export const CLIENT_ERROR_HINT =
  'Try again. If the problem persists, contact the administrator of this server. The browser console has more details.';

/** The mark by which one failure is found in the server's log and among the events; null for an error without one. */
export function digestOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return null;
  return String(error.digest);
}
