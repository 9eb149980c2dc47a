import type { Metadata } from 'next';
import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import {
  createKeyAction,
  setKeyActiveAction,
} from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { KEY_FIELDS } from '#app/[org]/settings/projects/[project]/project-fields.ts';
import { windowLabel } from '#app/[org]/settings/quotas/limit-fields.ts';
import { ActionButton, ConfirmAction } from '#app/forms/confirm-action.tsx';
import { LineForm } from '#app/forms/fields-form.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { HOUR_MS } from '#lib/time.ts';
import { hasRight } from '#product/permissions.ts';
import { KEY_USE_DAYS, type KeyRateLimit, listKeyUse } from '#product/projects/client-keys.ts';
import { getServices } from '#product/services.ts';
import type { KeyUse } from '#product/stats/outcome-store.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { formatCount, formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { KeyRateLimitForm } from './key-rate-limit-form.tsx';

export const metadata: Metadata = { title: 'Client keys' };

export default async function ClientKeysPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx, keys } = await loadProjectPage(params);
  const uses = await listKeyUse(ctx, slug);
  const canChange = hasRight(ctx.actor, 'project:write');
  const now = getServices().now();
  return (
    <SettingsPage
      title="Client keys"
      description="A client key can only send events, so it is safe in client-side code. With several keys, you can disable one app without affecting the others. To rotate a key, create a new one, switch your apps over, and disable the old one once it receives nothing."
      actions={<ButtonLink href={`/${org}/projects/${slug}`}>Project</ButtonLink>}
    >
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
                  <KeyUseText use={uses.get(key.id)} days={KEY_USE_DAYS} isActive={key.isActive} now={now} />
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
    </SettingsPage>
  );
}

const rateLimitText = (limit: KeyRateLimit | null): string =>
  limit
    ? `At most ${formatExact(limit.count)} errors per ${windowLabel(limit.windowSeconds)}`
    : 'No rate limit';

/** When a key was last used, to see whether it can be disabled without losing events. */
function KeyUseText({
  use,
  days,
  isActive,
  now,
}: {
  use: KeyUse | undefined;
  /** The period that was checked. */
  days: number;
  isActive: boolean;
  now: number;
}) {
  if (!isActive && use?.refusedAt != null) {
    return (
      <span className="font-medium text-warning">
        still in use: {formatCount(use.refused)} events rejected in {days} days, last{' '}
        <LastHour at={use.refusedAt} now={now} />
      </span>
    );
  }
  if (use?.acceptedAt == null) return <>nothing received in {days} days</>;
  return (
    <>
      last received <LastHour at={use.acceptedAt} now={now} />
    </>
  );
}

/** Counts are kept by the hour, so that is as exact as it gets. */
function LastHour({ at, now }: { at: number; now: number }) {
  return now - at < HOUR_MS ? <>within the last hour</> : <RelativeTime at={at} now={now} />;
}
