import { KeyRound } from 'lucide-react';
import type { Metadata } from 'next';
import { getSelf } from '#app/account/own-account.ts';
import { listPasskeys, PASSKEYS_MAX } from '#product/accounts/own-account/own-passkeys.ts';
import { Badge } from '#ui/badge.tsx';
import { Card, ListCard } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { LastUsed, ListRow } from '#ui/list-row.tsx';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { AddPasskey, PasskeyControls } from './passkey-controls.tsx';

export const metadata: Metadata = { title: 'Passkeys' };

export default async function PasskeysPage() {
  const self = await getSelf();
  const [passkeys, profile] = await Promise.all([
    listPasskeys(self),
    self.stores.accounts.findProfile(self.session.userId),
  ]);
  const { areAvailable } = self.stores.authenticator.passkeys;
  const now = self.now();
  return (
    <SettingsPage
      title="Passkeys"
      description="Sign in with your fingerprint, face or a security key instead of a password and code."
    >
      {areAvailable ? null : (
        <Notice tone="warning" title="Passkeys do not work at this address">
          Browsers require HTTPS and a host name. Your administrator can set both with ERRATA_URL.
        </Notice>
      )}
      {areAvailable && passkeys.length < PASSKEYS_MAX ? (
        <Card id="add-passkey" title="Add a passkey">
          <AddPasskey asksPassword={profile?.hasPassword ?? true} />
        </Card>
      ) : null}
      <ListCard
        id="passkeys"
        title="Your passkeys"
        empty={
          <EmptyState icon={<KeyRound aria-hidden />} title="No passkeys yet">
            {areAvailable
              ? 'Add one above to sign in with a touch.'
              : 'You cannot add a passkey at this address.'}
          </EmptyState>
        }
      >
        {passkeys.map((passkey) => (
          <ListRow
            key={passkey.id}
            title={
              <>
                <bdi className="break-anything">{passkey.name}</bdi>
                {passkey.isSynced ? <Badge>Synced</Badge> : null}
              </>
            }
            actions={
              <PasskeyControls
                passkeyId={passkey.id}
                name={passkey.name}
                asksPassword={profile?.hasPassword ?? true}
              />
            }
          >
            Added <RelativeTime at={passkey.createdAt} now={now} />,{' '}
            <LastUsed at={passkey.lastUsedAt} now={now} />
          </ListRow>
        ))}
      </ListCard>
    </SettingsPage>
  );
}
