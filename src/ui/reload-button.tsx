'use client';

import { RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button } from './button.tsx';

/** Refreshes the page from the server and keeps the scroll position. */
export function ReloadButton() {
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  return (
    <Button size="sm" isPending={isLoading} onClick={() => startLoading(() => router.refresh())}>
      <RotateCw aria-hidden className="size-3.5" />
      Try again
    </Button>
  );
}
