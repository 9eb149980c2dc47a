import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopbackHost } from '#lib/loopback-host.ts';

/** Told to the pages, which write it on the inline scripts of their own. */
const NONCE_HEADER = 'x-errata-nonce';
const NONCE_BYTES = 18;
const POLICY_HEADER = 'content-security-policy';
const HSTS_SECONDS = 365 * 24 * 3600;

export type PageSecurity = {
  /** Whether people reach the instance over TLS. */
  isHttps: boolean;
  /** The development server evaluates code, inserts styles and speaks over a socket. */
  isDevelopment: boolean;
};

/**
 * Gives the answer the headers that keep foreign script, frames and sniffing away, and the request the nonce that the
 * framework writes on its scripts. A route that sets a policy of its own keeps it.
 */
export function securePage(request: IncomingMessage, response: ServerResponse, security: PageSecurity): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const policy = contentSecurityPolicy(nonce, security);
  // The framework reads its nonce from the policy of the request; nobody outside may choose either.
  request.headers[POLICY_HEADER] = policy;
  request.headers[NONCE_HEADER] = nonce;
  delete request.headers['content-security-policy-report-only'];

  const headers: Record<string, string> = {
    [POLICY_HEADER]: policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
  if (security.isHttps || isLoopbackHost(hostOf(request))) {
    // Elsewhere browsers ignore it, and call that an error.
    headers['cross-origin-opener-policy'] = 'same-origin';
  }
  if (security.isHttps) headers['strict-transport-security'] = `max-age=${HSTS_SECONDS}`;
  addMissingHeaders(response, headers);
}

/** As the browser asked for it, without the port. */
const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '');

/** Source: https://www.w3.org/TR/CSP3/ */
function contentSecurityPolicy(nonce: string, { isDevelopment }: PageSecurity): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src-elem 'self'${isDevelopment ? " 'unsafe-inline'" : ''}`,
    // Sizes of bars and code colours are attributes; they load and run nothing.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? ' ws: wss:' : ''}`,
    "object-src 'none'",
    // Only the player of replays lets itself be framed: src/main/replay-frame.ts.
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** Just before the head is sent, since only then it is known what the route itself has set. */
function addMissingHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    for (const [name, value] of Object.entries(headers)) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    return writeHead(...args);
  };
}
