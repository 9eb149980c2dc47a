'use client';

import { useRouter } from 'next/navigation';
import { useShortcuts } from '../../../frame/use-shortcuts.ts';

/** The key that leads from any view of an issue back to the list. */
export function BackKey({ organizationSlug }: { organizationSlug: string }) {
  const router = useRouter();
  useShortcuts({ 'issue.back': () => router.push(`/${organizationSlug}/issues`) });
  return null;
}
