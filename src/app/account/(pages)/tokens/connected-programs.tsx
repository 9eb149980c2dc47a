import type { OwnGrant } from '#product/oauth/grants.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { DisconnectProgram } from './disconnect-program.tsx';

/** Programs that the person let in over the browser; nothing while there are none. */
export function ConnectedPrograms({ grants, now }: { grants: readonly OwnGrant[]; now: number }) {
  if (grants.length === 0) return null;
  return (
    <Card id="programs" title="Connected programs" flush>
      <ul className="divide-y">
        {grants.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
                <bdi className="break-anything">{grant.clientName}</bdi>
                {grant.organization ? null : <Badge tone="warning">You left its organization</Badge>}
              </p>
              <p className="mono break-anything mt-0.5 text-text-muted text-xs">{grant.scopes.join(' ')}</p>
              <p className="mt-0.5 text-text-muted text-xs">
                {grant.organization ? (
                  <>
                    <bdi>{grant.organization.name}</bdi>, connected{' '}
                  </>
                ) : (
                  'Connected '
                )}
                <RelativeTime at={grant.createdAt} now={now} />,{' '}
                {grant.lastUsedAt === null ? (
                  'never used'
                ) : (
                  <>
                    used <RelativeTime at={grant.lastUsedAt} now={now} />
                  </>
                )}
              </p>
            </div>
            <DisconnectProgram grantId={grant.id} name={grant.clientName} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
