import { CircleCheck, CircleHelp, Hourglass, TriangleAlert } from 'lucide-react';
import { visibleText } from '#lib/visible-text.ts';
import type { DeliveryHealth, DeliveryRoute, RouteHealth } from '#product/alerts/delivery-health.ts';
import { describeReceiver, type ReceiverNames } from '#product/alerts/describe-receiver.ts';
import { Badge } from '#ui/badge.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TextLink } from '#ui/text-link.tsx';

/** What a route is called. */
export const routeName = (known: ReceiverNames, route: DeliveryRoute): string =>
  route.kind === 'email' ? 'Email' : visibleText(describeReceiver(known, route));

/** Whether messages arrive; `name` says what is meant where the page does not. */
export function DeliveryBadge({
  health,
  name = null,
  now,
}: {
  health: DeliveryHealth;
  name?: string | null;
  now: number;
}) {
  switch (health.status) {
    case 'failing':
      return (
        <Badge tone="danger" icon={<TriangleAlert aria-hidden />} title={health.reason}>
          Delivery failing{causeLabel(health, name)}
        </Badge>
      );
    case 'delayed':
      return (
        <Badge tone="warning" icon={<Hourglass aria-hidden />} title={health.reason}>
          Delivery delayed
        </Badge>
      );
    case 'untested':
      return (
        <Badge icon={<CircleHelp aria-hidden />} title="No message has been sent yet">
          Not tested yet
        </Badge>
      );
    case 'delivering':
      return (
        <Badge tone="success" icon={<CircleCheck aria-hidden />}>
          {name === null ? 'Delivering' : `${name}: delivering`}, last message{' '}
          <RelativeTime at={health.lastSentAt} now={now} />
        </Badge>
      );
  }
}

function causeLabel({ cause }: Failing, name: string | null): string {
  if (cause === 'no_mail_server') return ': no mail server';
  if (cause === 'removed') return ': recipient was removed';
  if (cause === 'nobody') return ': no one was notified';
  return name === null ? '' : `: ${name === 'Email' ? 'email' : name}`;
}

type Failing = Extract<DeliveryHealth, { status: 'failing' }>;

/** Why messages do not arrive, since when, and where to mend it; nothing while they do. */
export function DeliveryProblem({
  organizationSlug,
  routeHealth: { route, health },
  ruleId = null,
  isFixHere = false,
  now,
}: {
  organizationSlug: string;
  routeHealth: RouteHealth;
  /** The rule whose recipients can be edited; null where they are being edited. */
  ruleId?: number | null;
  /** The page is the one that a link would lead to. */
  isFixHere?: boolean;
  now: number;
}) {
  if (health.status !== 'failing' && health.status !== 'delayed') return null;
  // Its reason says when.
  const isNobody = health.status === 'failing' && health.cause === 'nobody';
  const fix =
    health.status === 'failing' && !isFixHere ? fixOf(organizationSlug, route, health, ruleId) : null;
  return (
    <>
      {visibleText(health.reason).replace(/\.?$/, '.')}
      {health.since === null || isNobody ? null : (
        <>
          {' '}
          {health.status === 'delayed' ? 'The oldest is from' : 'First failed'}{' '}
          <RelativeTime at={health.since} now={now} />.
        </>
      )}
      {fix === null ? null : (
        <>
          {' '}
          <TextLink href={fix.href}>{fix.label}</TextLink>
        </>
      )}
    </>
  );
}

/** Why messages on one route do not arrive; `ruleId` is the rule whose recipients would have to change. */
export type Problem = { key: string; name: string; routeHealth: RouteHealth; ruleId: number };

const PROBLEMS_SHOWN = 5;

export function DeliveryProblems({
  organizationSlug,
  problems,
  now,
}: {
  organizationSlug: string;
  problems: readonly Problem[];
  now: number;
}) {
  return (
    <ul className="flex flex-col gap-0.5">
      {problems.slice(0, PROBLEMS_SHOWN).map(({ key, name, ...problem }) => (
        <li key={key}>
          <bdi className="font-medium">{name}</bdi>:{' '}
          <DeliveryProblem organizationSlug={organizationSlug} {...problem} now={now} />
        </li>
      ))}
      {problems.length > PROBLEMS_SHOWN ? (
        <li>and {formatPlural(problems.length - PROBLEMS_SHOWN, 'more problem')}</li>
      ) : null}
    </ul>
  );
}

function fixOf(
  organizationSlug: string,
  route: DeliveryRoute,
  { cause }: Failing,
  ruleId: number | null,
): { href: string; label: string } | null {
  if (cause === 'removed' || cause === 'nobody') {
    return ruleId === null
      ? null
      : { href: `/${organizationSlug}/alerts/${ruleId}/edit`, label: 'Edit rule' };
  }
  const destinations = `/${organizationSlug}/settings/destinations`;
  return route.kind === 'email'
    ? { href: `${destinations}#email`, label: 'Email settings' }
    : { href: `${destinations}/${route.destinationId}`, label: 'Destination settings' };
}
