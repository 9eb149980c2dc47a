'use client';

import { useState, useTransition } from 'react';
import { requireTwoFactorAction } from '#app/[org]/settings/organization-actions.ts';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';

export function TwoFactorSwitch({ orgSlug, isRequired }: { orgSlug: string; isRequired: boolean }) {
  const [isPending, startTransition] = useTransition();
  const [error, setError] = useState<string | null>(null);
  return (
    <>
      <Button
        isPending={isPending}
        onClick={() =>
          startTransition(async () => setError(await requireTwoFactorAction(orgSlug, !isRequired)))
        }
      >
        {isRequired ? 'Stop requiring two-factor authentication' : 'Require two-factor authentication'}
      </Button>
      {error ? (
        <div className="w-full">
          <Notice tone="danger">
            {error}{' '}
            <Link href="/account/security" className="underline underline-offset-2">
              Open Security
            </Link>
          </Notice>
        </div>
      ) : null}
    </>
  );
}
