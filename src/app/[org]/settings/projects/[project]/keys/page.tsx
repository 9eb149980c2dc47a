import type { Metadata } from 'next';
import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { windowLabel } from '#app/[org]/settings/quotas/window-words.ts';
import { ActionButton, ConfirmAction } from '#app/forms/confirm-action.tsx';
import { LineForm } from '#app/forms/fields-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { hasRight } from '#product/permissions.ts';
import { KEY_USE_DAYS, type KeyRateLimit, listKeyUse } from '#product/projects/client-keys.ts';
import { getServices } from '#product/services.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { createKeyAction, setKeyActiveAction } from './actions.ts';
import { KEY_FIELDS } from './key-fields.ts';
import { KeyRateLimitForm } from './key-rate-limit-form.tsx';
import { KeyUseText } from './key-use.tsx';

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
        description="A client key can only send events, so it is safe in client-side code. With several keys you can disable one program without affecting the others. To rotate a key, create a new one, switch your programs over, and disable the old one once it receives nothing."
        actions={<ButtonLink href={`/${org}/projects/${slug}`}>Project</ButtonLink>}
      />
      <div className="flex flex-col gap-5">
        {keys.some((key) => key.isActive) ? null : (
          <Notice tone="warning" title="No active keys">
            Events sent to this project are rejected.
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
                {!canChange ? null : key.isActive ? (
                  <ConfirmAction
                    action={setKeyActiveAction.bind(null, org, {
                      projectSlug: slug,
                      keyId: key.id,
                      isActive: false,
                    })}
                    label="Disable"
                    title={`Disable ${key.label}?`}
                    description="Events sent with its DSN are rejected and lost. You can enable it again."
                    confirmLabel="Disable key"
                    doneTitle={`${key.label} is disabled`}
                    size="sm"
                  />
                ) : (
                  <ActionButton
                    action={setKeyActiveAction.bind(null, org, {
                      projectSlug: slug,
                      keyId: key.id,
                      isActive: true,
                    })}
                    label="Enable"
                    doneTitle={`${key.label} is enabled`}
                    size="sm"
                  />
                )}
              </li>
            ))}
          </ul>
        </Card>
        {canChange ? (
          <Card id="new-key" title="New key">
            <LineForm
              fields={KEY_FIELDS}
              action={createKeyAction.bind(null, org, { projectSlug: slug })}
              submitLabel="Create key"
              pendingLabel="Creating…"
            />
          </Card>
        ) : (
          <p className="text-sm text-text-muted">Ask an admin to create, enable or disable keys.</p>
        )}
      </div>
    </PageBody>
  );
}

const rateLimitText = (limit: KeyRateLimit | null): string =>
  limit
    ? `At most ${formatExact(limit.count)} errors per ${windowLabel(limit.windowSeconds)}`
    : 'No rate limit';
