import { replayMomentHref } from '#app/[org]/replay-href.ts';
import { userHref } from '#app/[org]/user-href.ts';
import { visibleText } from '#lib/visible-text.ts';
import { senderAddress } from '#product/feedback/sender-address.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { ExternalLink } from '#ui/external-link.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import type { EventPlace, SectionEntry } from './event-parts.ts';
import { ReplyForm } from './reply-form.tsx';
import { replyHref } from './reply-href.ts';

/** What somebody wrote, who, and the error that it is about. */
export function feedbackSection(
  { payload, eventId: feedbackId, occurredAt }: StoredEvent,
  place: EventPlace,
): SectionEntry {
  const feedback = payload.contexts?.feedback ?? {};
  const text = (key: string): string => {
    const value = feedback[key];
    return typeof value === 'string' ? visibleText(value) : '';
  };
  const email = typeof feedback.contact_email === 'string' ? feedback.contact_email : '';
  const eventId = parseEventId(feedback.associated_event_id);
  const replayId = parseEventId(feedback.replay_id);
  const message = payload.logentry?.formatted ?? '';
  const replyTo = senderAddress(payload);
  const url = payload.culprit ?? '';
  const rows = [
    text('name') && { key: 'name', name: 'Name', value: <bdi>{text('name')}</bdi> },
    email && {
      key: 'email',
      name: 'Email',
      value: (
        <Link href={userHref(place.organizationSlug, { kind: 'email', value: email })} className="link">
          <bdi>{visibleText(email)}</bdi>
        </Link>
      ),
    },
    replyTo && !place.canReply
      ? {
          key: 'reply',
          name: 'Reply',
          value: (
            <a href={replyHref(replyTo, message)} className="text-accent underline underline-offset-2">
              Reply by email
            </a>
          ),
        }
      : null,
    url && { key: 'url', name: 'Page', value: <ExternalLink href={url} /> },
    eventId && {
      key: 'event',
      name: 'About',
      value: (
        <Link
          href={`/${place.organizationSlug}/projects/${place.projectSlug}/events/${eventId}`}
          className="text-accent underline underline-offset-2"
        >
          View the error
        </Link>
      ),
    },
    replayId && {
      key: 'replay',
      name: 'Replay',
      value: (
        <Link
          href={replayMomentHref(place.organizationSlug, replayId, occurredAt)}
          className="text-accent underline underline-offset-2"
        >
          Watch the replay
        </Link>
      ),
    },
  ].filter((row) => row !== null && row !== '');
  return {
    id: 'message',
    title: 'Message',
    content: (
      <>
        <p className="mb-3 max-w-[75ch] whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          <bdi>{visibleText(message)}</bdi>
        </p>
        <KeyValues rows={rows} />
        {replyTo && place.canReply ? (
          <div className="mt-4">
            <ReplyForm
              place={{ organizationSlug: place.organizationSlug, shortId: place.shortId }}
              eventId={feedbackId}
              to={visibleText(replyTo)}
            />
          </div>
        ) : null}
      </>
    ),
  };
}
