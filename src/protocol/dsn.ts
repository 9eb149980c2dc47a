/**
 * The address an SDK sends to. Source: https://develop.sentry.dev/sdk/foundations/transport/authentication/
 * Shape: `http://<key>@host:port/<projectId>`.
 */

/** `publicUrl` is the instance's public address without a trailing slash; a path in it is kept. */
export function formatDsn(publicUrl: string, publicKey: string, projectId: number): string {
  const url = new URL(publicUrl);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.protocol}//${publicKey}@${url.host}${path}/${projectId}`;
}

export type Dsn = {
  /** Address to send to, without key, project and trailing slash: `http://host:9000`. */
  baseUrl: string;
  publicKey: string;
  projectId: number;
};

/** null when the text is no DSN with a numeric project. A secret key of the old form is dropped. */
export function parseDsn(text: string): Dsn | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const match = /^(.*)\/(\d{1,16})\/?$/.exec(url.pathname);
  if (!match || url.username === '') return null;
  const [, path = '', projectId = ''] = match;
  return {
    baseUrl: `${url.protocol}//${url.host}${path}`,
    publicKey: url.username,
    projectId: Number(projectId),
  };
}
