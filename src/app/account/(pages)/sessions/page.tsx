import { Laptop, Smartphone } from 'lucide-react';
import type { Metadata } from 'next';
import { getSelf } from '#app/account/own-account.ts';
import { HOUR_MS } from '#lib/time.ts';
import { listSessions } from '#product/accounts/own-account/sessions.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { EndOthersButton, EndSessionButton } from './session-controls.tsx';
import { sessionEndWords } from './session-end-words.ts';

export const metadata: Metadata = { title: 'Sessions' };

/** Where one is signed in. */
export default async function SessionsPage() {
  const self = await getSelf();
  const sessions = await listSessions(self);
  const { limits } = self.stores.authenticator.sessions;
  const now = self.now();
  return (
    <Page
      width="narrow"
      title="Sessions"
      description={`Where you are signed in. If you do not recognize a session, sign it out and change your password. A session expires after ${durationWords(limits.idleMsMax)} without use, and after ${durationWords(limits.ageMsMax)} in any case.`}
      actions={sessions.length > 1 ? <EndOthersButton /> : null}
    >
      <Card flush>
        <ul aria-label="Sessions" className="divide-y">
          {sessions.map((session) => {
            const Icon = session.isPhone ? Smartphone : Laptop;
            return (
              <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                <Icon aria-hidden className="size-5 shrink-0 text-text-muted" />
                <div className="min-w-0 flex-1 basis-56">
                  <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
                    <bdi className="break-anything">{session.device}</bdi>
                    {session.isCurrent ? <Badge tone="success">This browser</Badge> : null}
                  </p>
                  <p className="text-text-muted text-xs">
                    {session.ipAddress ? (
                      <>
                        From <span className="mono">{session.ipAddress}</span>, used{' '}
                      </>
                    ) : (
                      'Used '
                    )}
                    <RelativeTime at={session.lastUsedAt} now={now} />, signed in{' '}
                    <RelativeTime at={session.createdAt} now={now} />
                    {session.isCurrent ? '' : `, ${sessionEndWords(session, limits)}`}
                  </p>
                </div>
                {session.isCurrent ? null : (
                  <EndSessionButton sessionId={session.id} device={session.device} />
                )}
              </li>
            );
          })}
        </ul>
      </Card>
    </Page>
  );
}

/** `7 days`, `36 hours`. */
function durationWords(ms: number): string {
  const hours = Math.round(ms / HOUR_MS);
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
