import { Laptop, Smartphone } from 'lucide-react';
import type { Metadata } from 'next';
import { endOtherSessionsAction, endSessionAction } from '#app/account/(pages)/actions.ts';
import { getSelf } from '#app/account/own-account.ts';
import { ActionButton } from '#app/forms/confirm-action.tsx';
import { HOUR_MS } from '#lib/time.ts';
import { listSessions } from '#product/accounts/own-account/sessions.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { ListRow } from '#ui/list-row.tsx';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { sessionEndLabel } from './session-end-label.ts';

export const metadata: Metadata = { title: 'Sessions' };

export default async function SessionsPage() {
  const self = await getSelf();
  const sessions = await listSessions(self);
  const { limits } = self.stores.authenticator.sessions;
  const now = self.now();
  return (
    <Page
      width="narrow"
      title="Sessions"
      description={`Where you are signed in. If you do not recognize a session, sign it out and change your password. A session expires after ${durationLabel(limits.idleMsMax)} without use, and after ${durationLabel(limits.ageMsMax)} in any case.`}
      actions={
        sessions.length > 1 ? (
          <ActionButton
            action={endOtherSessionsAction}
            label="Sign out everywhere else"
            doneTitle={`Signed out of ${formatPlural(sessions.length - 1, 'session')}`}
          />
        ) : null
      }
    >
      <Card flush>
        <ul aria-label="Sessions" className="divide-y">
          {sessions.map((session) => {
            const Icon = session.isPhone ? Smartphone : Laptop;
            return (
              <ListRow
                key={session.id}
                icon={<Icon aria-hidden className="size-5 shrink-0 text-text-muted" />}
                title={
                  <>
                    <bdi className="break-anything">{session.device}</bdi>
                    {session.isCurrent ? <Badge tone="success">This browser</Badge> : null}
                  </>
                }
                actions={
                  session.isCurrent ? null : (
                    <ActionButton
                      action={endSessionAction.bind(null, session.id)}
                      label="Sign out"
                      accessibleName={`Sign out ${session.device}`}
                      doneTitle={`Signed out: ${session.device}`}
                      size="sm"
                    />
                  )
                }
              >
                {session.ipAddress ? (
                  <>
                    From <span className="mono">{session.ipAddress}</span>, used{' '}
                  </>
                ) : (
                  'Used '
                )}
                <RelativeTime at={session.lastUsedAt} now={now} />, signed in{' '}
                <RelativeTime at={session.createdAt} now={now} />
                {session.isCurrent ? '' : `, ${sessionEndLabel(session, limits)}`}
              </ListRow>
            );
          })}
        </ul>
      </Card>
    </Page>
  );
}

/** `7 days`, `36 hours`. */
function durationLabel(ms: number): string {
  const hours = Math.round(ms / HOUR_MS);
  return hours % 24 === 0 ? formatPlural(hours / 24, 'day') : formatPlural(hours, 'hour');
}
