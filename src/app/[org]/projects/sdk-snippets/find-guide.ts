import { BROWSER_GUIDES } from './browser.ts';
import { DOTNET_GUIDES } from './dotnet.ts';
import { ELIXIR_GUIDES } from './elixir.ts';
import { FULL_STACK_GUIDES } from './full-stack.ts';
import { GAME_GUIDES } from './games.ts';
import { GO_GUIDES } from './go.ts';
import { JVM_GUIDES } from './jvm.ts';
import { MOBILE_GUIDES } from './mobile.ts';
import { NATIVE_GUIDES } from './native.ts';
import { NODE_GUIDES } from './node.ts';
import { PHP_GUIDES } from './php.ts';
import { PYTHON_GUIDES } from './python.ts';
import { RUBY_GUIDES } from './ruby.ts';
import { SERVERLESS_GUIDES } from './serverless.ts';
import { type Guide, type Guides, verify } from './snippet.ts';

const OTHER: Guide = {
  docs: '',
  traces: null,
  steps: (dsn) => [
    {
      title: 'Initialize',
      hint: 'All Sentry SDKs read the DSN from this variable unless it is set in code.',
      text: `SENTRY_DSN=${dsn}`,
    },
    verify(curlSnippet(dsn), 'Or send an event manually.'),
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

/** One for every platform of the list. The SDKs are Sentry's own. */
export const GUIDES: Guides = {
  ...BROWSER_GUIDES,
  ...FULL_STACK_GUIDES,
  ...NODE_GUIDES,
  ...SERVERLESS_GUIDES,
  ...PYTHON_GUIDES,
  ...GO_GUIDES,
  ...JVM_GUIDES,
  ...PHP_GUIDES,
  ...RUBY_GUIDES,
  ...DOTNET_GUIDES,
  ...ELIXIR_GUIDES,
  ...MOBILE_GUIDES,
  ...GAME_GUIDES,
  ...NATIVE_GUIDES,
  other: OTHER,
};

/** How to connect a program; what every SDK understands for a platform that is not listed. */
export const findGuide = (platform: string): Guide =>
  Object.hasOwn(GUIDES, platform) ? (GUIDES[platform] ?? OTHER) : OTHER;
