import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { findSession } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { PASSWORD_CHARS_MIN } from '#product/accounts/check-password.ts';
import { openInvitation } from '#product/invitations/accept-invitation.ts';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { AcceptForm, NewAccountForm } from './invitation-forms.tsx';

export const metadata: Metadata = { title: 'Invitation', robots: { index: false } };

export default async function InvitationPage({ params }: PageRequest<'token'>) {
  const { token } = await params;
  const services = getServices();
  const [open, session] = await Promise.all([openInvitation(services, token), findSession()]);
  if (!open) return <Gone />;
  const { invitation, organization, hasAccount } = open;
  const title = `Join ${organization.name}`;
  const by = invitation.invitedBy ? ` by ${invitation.invitedBy.name}` : '';
  const next = encodeURIComponent(`/invite/${token}`);
  if (session) {
    const isOther = session.email.toLowerCase() !== invitation.email;
    return (
      <AccountFrame title={title} description={`You were invited${by} to join as ${invitation.role}.`}>
        <div className="flex flex-col gap-4">
          <p className="text-sm">
            You are signed in as <bdi className="font-medium">{session.email}</bdi>.
          </p>
          {isOther ? (
            <Notice tone="warning">
              The invitation was sent to <bdi>{invitation.email}</bdi>. You can join as{' '}
              <bdi>{session.email}</bdi> instead.
            </Notice>
          ) : null}
          <AcceptForm token={token} />
        </div>
      </AccountFrame>
    );
  }
  if (hasAccount) {
    return (
      <AccountFrame title={title} description={`You were invited${by} to join as ${invitation.role}.`}>
        <p className="mb-4 text-sm">
          There is already an account for <bdi className="font-medium">{invitation.email}</bdi>. Sign in to
          it, and you will return to this page.
        </p>
        <ButtonLink href={`/login?next=${next}`} variant="primary" size="lg" className="w-full">
          Sign in
        </ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title={title}
      description={`You were invited${by} to join as ${invitation.role}. Create an account for ${invitation.email}.`}
    >
      <NewAccountForm token={token} email={invitation.email} passwordCharsMin={PASSWORD_CHARS_MIN} />
      <p className="mt-5 text-sm text-text-muted">
        Already have an account with another address?{' '}
        <a
          href={`/login?next=${next}`}
          className="text-accent underline decoration-from-font underline-offset-2"
        >
          Sign in with it
        </a>
        .
      </p>
    </AccountFrame>
  );
}

function Gone() {
  return (
    <AccountFrame
      title="This invitation is no longer valid"
      description="It was used, revoked or replaced by a newer one, or is older than a week. Ask the person who sent it for a new one."
    >
      <ButtonLink href="/login">Go to the sign-in page</ButtonLink>
    </AccountFrame>
  );
}
