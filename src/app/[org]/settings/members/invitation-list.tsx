import type { Invitation } from '#product/invitations/invitation-store.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { InvitationControls } from './invitation-controls.tsx';
import { ROLE_LABELS } from './role-labels.ts';

/** Who was asked and has not joined yet. */
export function InvitationList({
  orgSlug,
  invitations,
  canChange,
  now,
}: {
  orgSlug: string;
  invitations: readonly Invitation[];
  canChange: boolean;
  now: number;
}) {
  return (
    <Card flush id="invitations" title="Invitations">
      <ul className="divide-y">
        {invitations.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-60">
              <p className="flex items-center gap-2">
                <bdi className="truncate font-medium text-sm">{email}</bdi>
                {expiresAt <= now ? <Badge tone="warning">expired</Badge> : null}
              </p>
              <p className="text-text-muted text-xs">
                as {ROLE_LABELS[role].label}, invited <RelativeTime at={createdAt} now={now} />
                {invitedBy ? (
                  <>
                    {' by '}
                    <bdi>{invitedBy.name}</bdi>
                  </>
                ) : null}
                {expiresAt > now ? `, open until ${new Date(expiresAt).toISOString().slice(0, 10)}` : null}
              </p>
            </div>
            {canChange ? <InvitationControls orgSlug={orgSlug} invitation={{ id, email }} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
