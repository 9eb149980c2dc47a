import type { AdoptionStage } from '#product/releases/read-adoption.ts';
import { Badge } from '#ui/badge.tsx';

const STAGES: Readonly<Record<AdoptionStage, { label: string; hint: string }>> = {
  low: { label: 'Low adoption', hint: 'Less than 10% of the sessions of the last 6 hours' },
  adopted: { label: 'Adopted', hint: 'At least 10% of the sessions of a project in an environment' },
  replaced: { label: 'Replaced', hint: 'Was adopted, and now has less than 10% of the sessions' },
};

/** How far a release has spread. */
export function AdoptionBadge({ stage }: { stage: AdoptionStage }) {
  const { label, hint } = STAGES[stage];
  return (
    <Badge title={hint} tone={stage === 'adopted' ? 'success' : 'neutral'}>
      {label}
    </Badge>
  );
}
