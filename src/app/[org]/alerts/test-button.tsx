'use client';

import { Send } from 'lucide-react';
import { useState, useTransition } from 'react';
import { testRoutesAction } from '#app/[org]/alerts/actions.ts';
import { routeName } from '#app/[org]/delivery-health.tsx';
import type { Answer } from '#app/forms/submit-form.ts';
import type { DeliveryRoute } from '#product/alerts/delivery-health.ts';
import type { ReceiverNames } from '#product/alerts/describe-receiver.ts';
import type { RouteTest } from '#product/alerts/test-routes.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';

/** Sends a real message that says it is a test on each route, and shows what became of it. */
export function TestButton({
  organizationSlug,
  routes,
  destinations,
}: {
  organizationSlug: string;
  routes: readonly DeliveryRoute[];
  destinations: ReceiverNames['destinations'];
}) {
  const [isPending, startTransition] = useTransition();
  const [answer, setAnswer] = useState<Answer<readonly RouteTest[]> | null>(null);
  const isSent = answer?.ok && answer.value.every(({ kind }) => kind === 'sent');
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        disabled={isPending}
        onClick={() =>
          startTransition(async () => {
            setAnswer(null);
            setAnswer(await testRoutesAction(organizationSlug, [...routes]));
          })
        }
      >
        <Send aria-hidden className="size-3.5" />
        {isPending ? 'Sending…' : 'Send test notification'}
      </Button>
      {answer === null ? null : (
        <Notice
          tone={isSent ? 'success' : 'danger'}
          title={isSent ? 'Test notification sent' : 'Test notification not delivered'}
        >
          {answer.ok ? (
            <ul>
              {answer.value.map((test) => (
                <li key={test.route.kind === 'email' ? 'email' : test.route.destinationId}>
                  <bdi>{routeName({ users: [], teams: [], destinations }, test.route)}</bdi>
                  {test.to === null ? null : ` to ${test.to}`}: {test.kind === 'sent' ? 'sent' : test.reason}.
                </li>
              ))}
            </ul>
          ) : (
            `${answer.message}.`
          )}
        </Notice>
      )}
    </div>
  );
}
