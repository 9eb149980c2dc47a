'use client';

import { Send } from 'lucide-react';
import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type TestState, testDestinationAction } from './destination-actions.ts';

/** Sends a real message that says it is a test, and tells what became of it. */
export function TestButton({
  organizationSlug,
  destinationId,
}: {
  organizationSlug: string;
  destinationId: number;
}) {
  const [isPending, startTransition] = useTransition();
  const [result, setResult] = useState<TestState | null>(null);
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
      {result === null ? null : result.kind === 'sent' ? (
        <Notice tone="success" title="It was taken">
          Look there: the message says that it is a test.
        </Notice>
      ) : (
        <Notice tone="danger" title="It was not taken">
          {result.reason}.
        </Notice>
      )}
    </div>
  );
}
