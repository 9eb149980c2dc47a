'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { PLATFORMS } from '#app/[org]/projects/platforms.ts';
import { Select } from '#ui/select.tsx';

/** Shows the steps of another platform; the choice lives in the URL. */
export function PlatformSelect({ value }: { value: string }) {
  const router = useRouter();
  const pathname = usePathname();
  const [isPending, startTransition] = useTransition();
  return (
    <Select
      label="Platform"
      prefix="Platform:"
      value={value}
      disabled={isPending}
      options={PLATFORMS.map((platform) => ({ value: platform.id, label: platform.name }))}
      onValueChange={(platform) =>
        startTransition(() => router.replace(`${pathname}?platform=${platform}`, { scroll: false }))
      }
    />
  );
}
