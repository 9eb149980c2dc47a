import type { Snippets } from './snippet.ts';

/** Any program, by its DSN. */
export const OTHER_SNIPPETS: Snippets = {
  other: (dsn) => [
    {
      title: 'Initialize',
      hint: 'Every Sentry SDK takes the DSN from this variable when the program does not name one.',
      text: `SENTRY_DSN=${dsn}`,
    },
    {
      title: 'Verify',
      hint: 'Or send one event by hand.',
      text: curlSnippet(dsn),
    },
  ],
};

/** Shape: `http://<key>@host/<projectId>`. */
function curlSnippet(dsn: string): string {
  const url = new URL(dsn);
  const projectId = url.pathname.split('/').at(-1);
  const path = url.pathname.slice(0, -(projectId?.length ?? 0));
  return `curl '${url.protocol}//${url.host}${path}api/${projectId}/store/?sentry_key=${url.username}' \\
  -H 'Content-Type: application/json' \\
  -d '{"message": "Hello from curl", "level": "error", "platform": "other"}'`;
}
