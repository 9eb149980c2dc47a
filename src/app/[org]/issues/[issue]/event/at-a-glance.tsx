import {
  Flame,
  Globe,
  Link2,
  MonitorPlay,
  MonitorSmartphone,
  Server,
  Tag,
  User,
  Waypoints,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { eventProfileHref } from '#app/[org]/profile-href.ts';
import { replayMomentHref } from '#app/[org]/replay-href.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { EventProfile } from '#product/profiles/find-event-profile.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { Link } from '#ui/navigation/link.tsx';
import type { EventPlace } from './event-parts.ts';
import { traceHref, traceIdOf } from './sections-of.tsx';

/** What one asks first of an event, in one line: where and for whom it happened, and what else happened with it. */
export function AtAGlance({
  event,
  profile,
  place,
}: {
  event: StoredEvent;
  profile: EventProfile | null;
  place: EventPlace;
}) {
  const tags = new Map(event.tags);
  const tagged = (...keys: string[]) => keys.map((key) => tags.get(key)).find(Boolean) ?? null;
  const { email, username, id, ip } = event.user;
  const facts: Fact[] = [
    { label: 'User', icon: <User />, text: email ?? username ?? id ?? ip },
    { label: 'Browser', icon: <Globe />, text: tagged('browser') },
    { label: 'Device', icon: <MonitorSmartphone />, text: tagged('device', 'device.family') },
    { label: 'Operating system', icon: <MonitorSmartphone />, text: tagged('os', 'client_os') },
    { label: 'Runtime', icon: <Server />, text: tagged('runtime') },
    { label: 'URL', icon: <Link2 />, text: requestText(event) ?? tagged('url', 'transaction') },
    { label: 'Environment', icon: <Server />, text: event.environment },
    { label: 'Release', icon: <Tag />, text: event.release },
  ];
  const traceId = traceIdOf(event.payload);
  const replayId = parseEventId(event.payload.contexts?.replay?.replay_id ?? tags.get('replayId'));
  return (
    <ul aria-label="At a glance" className="glance">
      {facts.map(({ label, icon, text }) =>
        text ? (
          <li key={label} title={`${label}: ${text}`}>
            {icon}
            <span>{`${label}: `}</span>
            <bdi>{visibleText(text)}</bdi>
          </li>
        ) : null,
      )}
      {traceId === null ? null : (
        <Place
          href={traceHref(place.organizationSlug, traceId, event.payload)}
          icon={<Waypoints aria-hidden />}
        >
          Trace
        </Place>
      )}
      {replayId === null ? null : (
        <Place
          href={replayMomentHref(place.organizationSlug, replayId, event.occurredAt)}
          icon={<MonitorPlay aria-hidden />}
        >
          Replay
        </Place>
      )}
      {profile === null ? null : (
        <Place
          href={eventProfileHref(place.organizationSlug, place.projectSlug, profile)}
          icon={<Flame aria-hidden />}
        >
          Profile
        </Place>
      )}
    </ul>
  );
}

function Place({ href, icon, children }: { href: string; icon: ReactNode; children: string }) {
  return (
    <li>
      <Link href={href}>
        {icon}
        {children}
      </Link>
    </li>
  );
}

type Fact = { label: string; icon: ReactNode; text: string | null };

/** `POST https://shop.example/checkout`; null when the event has no request. */
function requestText({ payload: { request } }: StoredEvent): string | null {
  if (!request?.url) return null;
  return request.method ? `${request.method} ${request.url}` : request.url;
}
