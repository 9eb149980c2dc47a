import { AdoptionBadge } from '#app/[org]/releases/adoption-badge.tsx';
import type { Adoption } from '#product/releases/read-adoption.ts';
import { Card } from '#ui/card.tsx';
import { formatExact, formatShare } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** How far the release has spread in the last 24 hours, whatever time the page shows. */
export function ReleaseAdoption({ adoption, now }: { adoption: Adoption; now: number }) {
  const { stage, sessions, users, sessionShare, userShare, adoptedAt, replacedAt } = adoption;
  if (stage === null) return null;
  const share = (part: number, of: number | null, what: string) =>
    of === null ? `No ${what}` : `${formatShare(of, 1)} (${formatExact(part)})`;
  return (
    <Card id="adoption" title="Adoption in the last 24 hours" actions={<AdoptionBadge stage={stage} />}>
      <KeyValues
        isNarrow
        rows={[
          { name: 'Sessions', value: share(sessions, sessionShare, 'sessions') },
          { name: 'Users', value: share(users, userShare, 'users') },
          ...(adoptedAt === null
            ? []
            : [{ name: 'Adopted', value: <RelativeTime at={adoptedAt} now={now} /> }]),
          ...(replacedAt === null
            ? []
            : [{ name: 'Replaced', value: <RelativeTime at={replacedAt} now={now} /> }]),
        ]}
      />
    </Card>
  );
}
