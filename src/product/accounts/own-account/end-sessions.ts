import { notFound } from '#lib/errors.ts';
import type { Self } from './self.ts';

/** Signs one browser out. Throws NotFound. */
export async function endSession({ stores, session }: Self, sessionId: string): Promise<void> {
  const isEnded = await stores.authenticator.sessions.end(session.userId, sessionId);
  if (!isEnded) throw notFound('This session has ended already: reload the page');
}

/** Signs every browser out but this one; answers how many. */
export async function endOtherSessions({ stores, session }: Self): Promise<number> {
  return stores.authenticator.sessions.endOthers(session.userId, session.sessionId);
}
