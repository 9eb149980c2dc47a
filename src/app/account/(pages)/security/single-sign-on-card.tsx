import { ssoWords } from '#app/(account)/sso-words.ts';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { ConnectForm } from './connect-form.tsx';

/** Whether the identity provider opens this account. */
export function SingleSignOnCard({
  name,
  isConnected,
  hasPassword,
  outcome,
}: {
  name: string;
  isConnected: boolean;
  hasPassword: boolean;
  /** From the address: how the last try to connect ended. */
  outcome: string | null;
}) {
  const problem = ssoWords(outcome);
  return (
    <Card id="single-sign-on" title={`Single sign-on: ${name}`}>
      <div className="flex flex-col gap-4">
        {problem ? <Notice tone="danger">{problem}</Notice> : null}
        {outcome === 'connected' && isConnected ? (
          <Notice tone="success">Connected: {name} opens your account from now on.</Notice>
        ) : null}
        <p className="text-sm text-text-muted">
          {isConnected
            ? `Your identity at ${name} opens this account.`
            : `Not connected. It connects by itself when you sign in with ${name} and the same e-mail address; or do it here, with any address.`}
        </p>
        <ConnectForm name={name} isConnected={isConnected} hasPassword={hasPassword} />
      </div>
    </Card>
  );
}
