'use client';

import { RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button } from './button.tsx';

/** Asks the server for the page again, without losing the place. */
export function ReloadButton() {
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  return (
    <Button size="sm" disabled={isLoading} onClick={() => startLoading(() => router.refresh())}>
      <RotateCw aria-hidden className="size-3.5" />
      Try again
    </Button>
  );
}
