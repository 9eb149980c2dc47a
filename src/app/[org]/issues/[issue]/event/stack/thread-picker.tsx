'use client';

import { useRouter } from 'next/navigation';
import { Select } from '#ui/select.tsx';

/** Chooses the thread that the page shows; `href` ends where its place belongs. */
export function ThreadPicker({
  value,
  options,
  href,
}: {
  value: string;
  options: readonly { value: string; label: string; hint: string }[];
  href: string;
}) {
  const router = useRouter();
  return (
    <Select
      label="Thread"
      value={value}
      onValueChange={(chosen) => router.replace(`${href}${chosen}`, { scroll: false })}
      options={options}
    />
  );
}
