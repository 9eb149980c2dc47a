'use client';

import { Send } from 'lucide-react';
import { useState, useTransition } from 'react';
import type { Answer } from '#app/forms/submit-form.ts';
import type { TestResult } from '#product/deliveries/test-destination.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { testDestinationAction } from './actions.ts';

/** Sends a real message that says it is a test, and shows whether it was delivered. */
export function TestButton({
  organizationSlug,
  destinationId,
}: {
  organizationSlug: string;
  destinationId: number;
}) {
  const [isPending, startTransition] = useTransition();
  const [result, setResult] = useState<Answer<TestResult> | null>(null);
  const failure = result && failureOf(result);
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        disabled={isPending}
        onClick={() =>
          startTransition(async () => {
            setResult(null);
            setResult(await testDestinationAction(organizationSlug, destinationId));
          })
        }
      >
        <Send aria-hidden className="size-3.5" />
        {isPending ? 'Sending…' : 'Send a test'}
      </Button>
      {result === null ? null : failure === null ? (
        <Notice tone="success" title="Test message sent">
          Check the destination: the message says that it is a test.
        </Notice>
      ) : (
        <Notice tone="danger" title="Test message not delivered">
          {failure}.
        </Notice>
      )}
    </div>
  );
}

const failureOf = (result: Answer<TestResult>): string | null => {
  if (!result.ok) return result.message;
  return result.value.kind === 'sent' ? null : result.value.reason;
};
