import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { NOTIFICATION_WORDS } from '#product/notifications/notification-settings.ts';
import { openUnsubscribe, type Subscribed } from '#product/notifications/unsubscribe.ts';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { undoUnsubscribeAction, unsubscribeAction } from './unsubscribe-actions.ts';

export const metadata: Metadata = { title: 'Mail', robots: { index: false } };

export default async function UnsubscribePage({ params }: PageRequest<'token'>) {
  const { token } = await params;
  const subscribed = await openUnsubscribe(getServices(), token);
  if (!subscribed) {
    return (
      <AccountFrame
        title="This link switches nothing off"
        description="It is not complete, the secret of this instance has changed, or its reader left the organization. Sign in to choose which mails come."
      >
        <ButtonLink href="/account/notifications">Choose your mails</ButtonLink>
      </AccountFrame>
    );
  }
  return subscribed.isOn ? (
    <AccountFrame title="Stop these mails?" description={<About subscribed={subscribed} />}>
      <form action={unsubscribeAction.bind(null, token)}>
        <SubmitButton pendingLabel="Turning off…" size="lg" className="w-full">
          Stop these mails
        </SubmitButton>
      </form>
      <OtherMails />
    </AccountFrame>
  ) : (
    <AccountFrame title="These mails are switched off" description={<About subscribed={subscribed} />}>
      <div className="flex flex-col gap-4">
        <Notice tone="success">What is on its way already may still arrive.</Notice>
        <form action={undoUnsubscribeAction.bind(null, token)}>
          <SubmitButton variant="secondary" pendingLabel="Switching on…" size="lg" className="w-full">
            Undo: let them come again
          </SubmitButton>
        </form>
      </div>
      <OtherMails />
    </AccountFrame>
  );
}

function About({ subscribed: { kind, organization, email } }: { subscribed: Subscribed }) {
  const { name, about } = NOTIFICATION_WORDS[kind];
  return (
    <>
      <span className="font-medium text-text">{name}</span> of{' '}
      <bdi className="break-anything font-medium text-text">{organization.name}</bdi> to{' '}
      <bdi className="break-anything font-medium text-text">{email}</bdi>. {about}
    </>
  );
}

function OtherMails() {
  return (
    <p className="mt-5 text-sm text-text-muted">
      Other mails, and single projects:{' '}
      <TextLink href="/account/notifications" className="decoration-from-font">
        your notifications
      </TextLink>
      .
    </p>
  );
}
