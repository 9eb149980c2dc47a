import { parseUserAgent } from '#pipeline/normalize/user-agent.ts';
import type { OpenSession } from '#storage/ports/authenticator.ts';
import type { Self } from './self.ts';

export type NamedSession = Omit<OpenSession, 'userAgent'> & {
  /** `Firefox 140 on Linux`, or the beginning of what it calls itself. */
  device: string;
  isPhone: boolean;
  isCurrent: boolean;
};

const DEVICE_CHARS_MAX = 80;

/** Where the person is signed in, this browser first, then by last use. */
export async function listSessions({ stores, session }: Self): Promise<readonly NamedSession[]> {
  const sessions = await stores.authenticator.sessions.list(session.userId);
  const named = sessions.map(({ userAgent, ...rest }) => ({
    ...rest,
    device: describeDevice(userAgent),
    isPhone: /\b(Mobile|iPhone|Android)\b/.test(userAgent),
    isCurrent: rest.id === session.sessionId,
  }));
  return named.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** `Chrome 141 on Windows`; what is no browser is called as it calls itself. */
export function describeDevice(userAgent: string): string {
  if (userAgent.trim() === '') return 'Unknown device';
  const { browser, os } = parseUserAgent(userAgent);
  const name = browser?.name ? `${browser.name} ${(browser.version ?? '').split('.')[0]}`.trim() : null;
  if (name && os?.name) return `${name} on ${os.name}`;
  return name ?? os?.name ?? userAgent.slice(0, DEVICE_CHARS_MAX);
}
