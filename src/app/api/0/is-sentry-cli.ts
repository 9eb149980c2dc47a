/**
 * Whether the request says that the program sentry-cli made it. The client of Sentry's bundler plugins calls itself so,
 * too, but names the Node that it runs on.
 */
export function isSentryCli({ headers }: Request): boolean {
  const agent = headers.get('user-agent') ?? '';
  return /^sentry-cli\//.test(agent) && !/ node\//.test(agent);
}
