import type { RequestInfo } from '#protocol/event.ts';
import type { Contexts } from './contexts.ts';
import { parseUserAgent } from './user-agent.ts';

/**
 * Adds what the request's User-Agent header tells: the contexts `browser` and `device`, and the system as `os` for
 * events of browsers, as `client_os` for those of servers, whose own system `os` is. What the SDK sent wins.
 * An event of a browser without that header takes the one it was delivered with.
 */
export function addUserAgentContexts(
  contexts: Contexts,
  options: { platform: string; request: RequestInfo | undefined; senderUserAgent: string | null },
): void {
  const isBrowser = options.platform === 'javascript';
  const header = options.request?.headers?.find(([name]) => name === 'User-Agent')?.[1];
  const text = header ?? (isBrowser ? options.senderUserAgent : null);
  if (!text) return;
  const agent = parseUserAgent(text);
  if (agent.browser !== null) contexts.browser ??= { ...agent.browser, type: 'browser' };
  if (agent.os !== null) contexts[isBrowser ? 'os' : 'client_os'] ??= { ...agent.os, type: 'os' };
  if (agent.device !== null) contexts.device ??= { ...agent.device, type: 'device' };
}
