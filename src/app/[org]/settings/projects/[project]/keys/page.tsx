import type { Metadata } from 'next';
import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { windowLabel } from '#app/[org]/settings/quotas/window-words.ts';
import { getRequestContext } from '#app/request-context.ts';
import { hasRight } from '#product/permissions.ts';
import { KEY_USE_DAYS, listKeyUse } from '#product/projects/list-key-use.ts';
import type { KeyRateLimit } from '#product/projects/list-project-keys.ts';
import { getServices } from '#product/services.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { KeyRateLimitForm } from './key-rate-limit-form.tsx';
import { KeyToggle } from './key-toggle.tsx';
import { KeyUseText } from './key-use.tsx';
import { NewKeyForm } from './new-key-form.tsx';

export const metadata: Metadata = { title: 'Client keys' };

export default async function ClientKeysPage({
  params,
}: {
  params: Promise<{ org: string; project: string }>;
}) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  const { keys } = await loadProject(ctx, slug);
  const uses = await listKeyUse(ctx, slug);
  const canChange = hasRight(ctx.actor, 'project:write');
  const now = getServices().now();
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Client keys"
        description="Each key is an address to send to, and can do nothing else. Several keys let you turn one program away without the others. To change a key: create another one, give it to the programs, and disable the old one when nothing is received with it any more."
        actions={<ButtonLink href={`/${org}/projects/${slug}`}>Project</ButtonLink>}
      />
      <div className="flex flex-col gap-5">
        {keys.some((key) => key.isActive) ? null : (
          <Notice tone="warning" title="No key is active">
            Nothing that this project's programs send is accepted.
          </Notice>
        )}
        <Card flush id="keys" title="Keys">
          <ul>
            {keys.map((key) => (
              <li
                key={key.id}
                className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0"
              >
                <div className="min-w-0 flex-1 basis-40">
                  <p className="flex items-center gap-2">
                    <bdi className="truncate font-medium text-sm">{key.label}</bdi>
                    {key.isActive ? (
                      <Badge tone="success">active</Badge>
                    ) : (
                      <Badge tone="warning">disabled</Badge>
                    )}
                  </p>
                  <p className="text-text-muted text-xs">
                    created <RelativeTime at={key.createdAt} now={now} />,{' '}
                    <KeyUseText
                      use={uses.get(key.id)}
                      days={KEY_USE_DAYS}
                      isActive={key.isActive}
                      now={now}
                    />
                  </p>
                </div>
                <div className="order-last w-full min-w-0">
                  <DsnField dsn={key.dsn} label={`DSN of ${key.label}`} />
                </div>
                <div className="order-last w-full min-w-0">
                  {canChange ? (
                    <KeyRateLimitForm
                      orgSlug={org}
                      projectSlug={slug}
                      clientKey={{ id: key.id, label: key.label, rateLimit: key.rateLimit }}
                    />
                  ) : (
                    <p className="text-text-muted text-xs">{rateLimitText(key.rateLimit)}</p>
                  )}
                </div>
                {canChange ? (
                  <KeyToggle
                    orgSlug={org}
                    projectSlug={slug}
                    clientKey={{ id: key.id, label: key.label, isActive: key.isActive }}
                  />
                ) : null}
              </li>
            ))}
          </ul>
        </Card>
        {canChange ? (
          <Card id="new-key" title="New key">
            <NewKeyForm orgSlug={org} projectSlug={slug} />
          </Card>
        ) : (
          <p className="text-sm text-text-muted">
            Ask an admin of the organization to create, enable or disable keys.
          </p>
        )}
      </div>
    </PageBody>
  );
}

const rateLimitText = (limit: KeyRateLimit | null): string =>
  limit
    ? `At most ${formatExact(limit.count)} errors per ${windowLabel(limit.windowSeconds)}`
    : 'No rate limit';
