/** Given by the specification: what a reader sees in place of a page that failed. */
export const applicationErrorTitle = (side: 'client' | 'server'): string =>
  `Application error: a ${side}-side exception has occurred`;

export const SERVER_ERROR_HINT =
  'The server logs and the project “Errata itself” say more about it: look there for the digest. Try again; if it stays, tell whoever runs this server.';

export const CLIENT_ERROR_HINT =
  'The browser console says more about it. Try again; if it stays, tell whoever runs this server.';
