'use client';

import { useRouter } from 'next/navigation';
import { useShortcuts } from '#app/shell/use-shortcuts.ts';
import { onDemand, useOnDemand } from '#ui/on-demand/on-demand.ts';

const listSteps = onDemand(() => import('./list-steps.tsx'));

/** The place of an issue in the list that one came from. Only the tab knows that list, so it comes after the page. */
export function ListNavigation({ organizationSlug, shortId }: { organizationSlug: string; shortId: string }) {
  const router = useRouter();
  const steps = useOnDemand(listSteps, true);
  useShortcuts({
    'issue.back': () => {
      void listSteps.load().then(({ listHref }) => router.push(listHref(organizationSlug)));
    },
  });
  return steps ? <steps.ListSteps organizationSlug={organizationSlug} shortId={shortId} /> : null;
}
