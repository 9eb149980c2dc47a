'use client';

import { Plus, X } from 'lucide-react';
import { DeliveryProblem, routeName } from '#app/[org]/delivery-health.tsx';
import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import { judgeReceivers } from '#product/alerts/delivery-health.ts';
import { describeReceiver } from '#product/alerts/describe-receiver.ts';
import { Button } from '#ui/button.tsx';
import { FieldProblem } from '#ui/field.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { type FormOptions, keyOf, receiverChoices } from './form-options.ts';

/** Who the rule notifies: people by email, and the destinations of the settings. */
export function ReceiverList({
  organizationSlug,
  ruleKind,
  options,
  receivers,
  problem,
  onChange,
}: {
  organizationSlug: string;
  ruleKind: 'issue' | 'metric';
  options: FormOptions;
  receivers: readonly AlertReceiver[];
  problem: string | undefined;
  onChange: (receivers: readonly AlertReceiver[]) => void;
}) {
  const chosen = new Set(receivers.map(keyOf));
  const choices = receiverChoices(options, ruleKind).filter(
    ({ key, value }) =>
      !chosen.has(key) && !(value.kind === 'owners' && receivers.some(({ kind }) => kind === 'owners')),
  );
  return (
    <div className="flex flex-col gap-2">
      {receivers.length > 0 ? (
        <ul aria-label="Recipients" className="flex flex-wrap gap-2">
          {receivers.map((receiver) => {
            const name = describeReceiver(options, receiver);
            return (
              <li
                key={keyOf(receiver)}
                className="flex max-w-full items-center gap-1 rounded-md border bg-surface py-0.5 pr-0.5 pl-2.5 text-sm"
              >
                <bdi className="break-anything min-w-0">{name}</bdi>
                <Button
                  variant="ghost"
                  size="sm"
                  iconOnly
                  aria-label={`Remove ${name}`}
                  onClick={() => onChange(receivers.filter((each) => keyOf(each) !== keyOf(receiver)))}
                >
                  <X aria-hidden className="size-3.5" />
                </Button>
              </li>
            );
          })}
        </ul>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Menu
          trigger={
            <Button>
              <Plus aria-hidden className="size-3.5" />
              {receivers.length === 0 ? 'Choose who to notify' : 'Add action'}
            </Button>
          }
        >
          {choices.map(({ key, label, hint, value }) => (
            <MenuItem
              key={key}
              hint={<span className="text-text-muted text-xs">{hint}</span>}
              onSelect={() => onChange([...receivers, value])}
            >
              <bdi>{label}</bdi>
            </MenuItem>
          ))}
        </Menu>
        <span className="text-text-muted text-xs">
          For Slack, webhooks, and other services, add{' '}
          <TextLink href={`/${organizationSlug}/settings/destinations`}>destinations</TextLink>
        </span>
      </div>
      <DeliveryWarnings organizationSlug={organizationSlug} options={options} receivers={receivers} />
      {problem ? <FieldProblem id="receivers-problem">{problem}</FieldProblem> : null}
    </div>
  );
}

/** Who of the recipients messages do not reach at the moment. */
function DeliveryWarnings({
  organizationSlug,
  options,
  receivers,
}: {
  organizationSlug: string;
  options: FormOptions;
  receivers: readonly AlertReceiver[];
}) {
  return judgeReceivers(options, receivers, options.health)
    .filter(
      ({ health: { status } }) => receivers.length > 0 && (status === 'failing' || status === 'delayed'),
    )
    .map((routeHealth) => {
      const { route, health } = routeHealth;
      return (
        <Notice
          key={route.kind === 'email' ? 'email' : route.destinationId}
          tone="warning"
          title={`${routeName(options, route)}: ${health.status === 'failing' ? 'delivery is failing' : 'delivery is delayed'}`}
        >
          <DeliveryProblem organizationSlug={organizationSlug} routeHealth={routeHealth} now={options.now} />
        </Notice>
      );
    });
}
