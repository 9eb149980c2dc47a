import { BROWSER_SNIPPETS } from './browser.ts';
import { DOTNET_SNIPPETS } from './dotnet.ts';
import { JVM_SNIPPETS } from './jvm.ts';
import { NATIVE_SNIPPETS } from './native.ts';
import { NODE_SNIPPETS } from './node.ts';
import { PHP_SNIPPETS } from './php.ts';
import { PYTHON_SNIPPETS } from './python.ts';
import { RUBY_SNIPPETS } from './ruby.ts';
import type { SnippetStep, Snippets } from './snippet.ts';

const OTHER_SNIPPETS: Snippets = {
  other: (dsn) => [
    {
      title: 'Initialize',
      hint: 'All Sentry SDKs read the DSN from this variable unless it is set in code.',
      text: `SENTRY_DSN=${dsn}`,
    },
    {
      title: 'Verify',
      hint: 'Or send an event manually.',
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

const SNIPPETS: Snippets = {
  ...BROWSER_SNIPPETS,
  ...NODE_SNIPPETS,
  ...PYTHON_SNIPPETS,
  ...NATIVE_SNIPPETS,
  ...JVM_SNIPPETS,
  ...PHP_SNIPPETS,
  ...RUBY_SNIPPETS,
  ...DOTNET_SNIPPETS,
  ...OTHER_SNIPPETS,
};

/**
 * Install, initialize and verify, for the SDK of a platform; one for every platform of the list. Each step needs only
 * those before it, and the last one reports an error. The SDKs are Sentry's own. Source: https://docs.sentry.io/platforms/
 */
export function sdkSnippet(platform: string | null, dsn: string): readonly SnippetStep[] {
  const steps = SNIPPETS[platform ?? 'other'] ?? SNIPPETS.other;
  return steps ? steps(dsn) : [];
}
