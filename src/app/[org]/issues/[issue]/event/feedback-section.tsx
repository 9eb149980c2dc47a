import { replayMomentHref } from '#app/[org]/replay-href.ts';
import { userHref } from '#app/[org]/user-href.ts';
import { visibleText } from '#lib/visible-text.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { ExternalLink } from '#ui/external-link.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import type { EventPlace, SectionEntry } from './event-parts.ts';
import { replyHref } from './reply-href.ts';

/** What somebody wrote, who, and the error that it is about. */
export function feedbackSection({ payload, occurredAt }: StoredEvent, place: EventPlace): SectionEntry {
  const feedback = payload.contexts?.feedback ?? {};
  const text = (key: string): string => {
    const value = feedback[key];
    return typeof value === 'string' ? visibleText(value) : '';
  };
  const email = typeof feedback.contact_email === 'string' ? feedback.contact_email : '';
  const eventId = parseEventId(feedback.associated_event_id);
  const replayId = parseEventId(feedback.replay_id);
  const message = payload.logentry?.formatted ?? '';
  const reply = replyHref(email, message);
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
    reply && {
      key: 'reply',
      name: 'Reply',
      value: (
        <a href={reply} className="text-accent underline underline-offset-2">
          Reply by email
        </a>
      ),
    },
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
      </>
    ),
  };
}
