'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { guardLeaving } from '#ui/navigation/leave-guards.ts';

/** While there are unsaved changes, asks before the page is left. The browser itself asks before the document is. */
export function LeaveQuestion({ isChanged }: { isChanged: boolean }) {
  const router = useRouter();
  const [isDiscarded, setIsDiscarded] = useState(false);
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isGuarding = isChanged && !isDiscarded;

  useEffect(() => {
    if (!isGuarding) return;
    const stop = new AbortController();
    window.addEventListener('beforeunload', (event) => event.preventDefault(), stop);
    // Not every browser lets a page keep its reader from going back.
    (window.navigation as Navigation | undefined)?.addEventListener(
      'navigate',
      (event) => {
        const { key, sameDocument } = event.destination;
        if (event.navigationType !== 'traverse' || !event.cancelable || !sameDocument) return;
        event.preventDefault();
        setLeave(() => () => window.navigation.traverseTo(key));
      },
      stop,
    );
    const end = guardLeaving((href) => setLeave(() => () => router.push(href)));
    return () => {
      stop.abort();
      end();
    };
  }, [isGuarding, router]);

  // The guard is gone before the page is left, or it would ask again.
  useEffect(() => {
    if (isDiscarded) leave?.();
  }, [isDiscarded, leave]);

  return (
    <Dialog
      open={leave !== null && isGuarding}
      onOpenChange={(isOpen) => !isOpen && setLeave(null)}
      title="Discard unsaved changes?"
      description="What you changed on this page is not saved."
      footer={
        <>
          <Button onClick={() => setLeave(null)}>Keep editing</Button>
          <Button variant="danger" onClick={() => setIsDiscarded(true)}>
            Discard changes
          </Button>
        </>
      }
    />
  );
}
