import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { isInstanceOwner } from '#product/acting-user.ts';
import { findOverdueBackup } from '#product/backups/backup-settings.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { getRequestContext, getSession, listOwnOrganizations } from '../request-context.ts';
import { SIDE_BAR_COOKIE, THEME_COOKIE } from '../request-names.ts';
import { ShellLayout } from './shell-layout.tsx';

/** Side bar and top bar around a page of an organization. */
export async function Shell({
  organizationSlug,
  children,
}: {
  organizationSlug: string;
  children: ReactNode;
}) {
  const [ctx, session] = await Promise.all([getRequestContext(organizationSlug), getSession()]);
  const organizations = await listOwnOrganizations(session.userId);
  const jar = await cookies();
  const theme = jar.get(THEME_COOKIE)?.value;
  return (
    <ShellLayout
      organization={{ slug: ctx.organization.slug, name: ctx.organization.name }}
      organizations={organizations.map(({ slug, name }) => ({ slug, name }))}
      canCreateOrganizations={session.isInstanceOwner}
      user={{ name: session.name, email: session.email }}
      theme={theme === 'light' || theme === 'dark' ? theme : 'system'}
      startsCollapsed={jar.get(SIDE_BAR_COOKIE)?.value === 'folded'}
      banner={
        <>
          <IngestBanner ctx={ctx} />
          <BackupBanner ctx={ctx} />
        </>
      }
    >
      {children}
    </ShellLayout>
  );
}

/** Says that new events are delayed, to people who may change projects; nothing while they are not. */
function IngestBanner({ ctx }: { ctx: Context }) {
  if (!hasRight(ctx.actor, 'project:write')) return null;
  const lag = getServices().findIngestLag();
  if (!lag) return null;
  return (
    <div className="px-4 pt-3 sm:px-6">
      <Notice tone="warning" title={`New events are delayed by ${describe(lag.seconds)}`}>
        {lag.reason
          ? `Event processing has stopped: ${lag.reason}. `
          : 'Events are arriving faster than this server can process them. '}
        No data is lost: events are queued on disk, and counts will catch up. For details, see the log or run{' '}
        <code className="mono text-xs">npx errata status</code>.
      </Notice>
    </div>
  );
}

/** Says that a schedule makes no backups any more, to the instance's owner. */
async function BackupBanner({ ctx }: { ctx: Context }) {
  if (!isInstanceOwner(ctx)) return null;
  const warning = await findOverdueBackup(ctx);
  if (!warning) return null;
  return (
    <div className="px-4 pt-3 sm:px-6">
      <Notice tone="warning" title="Backups are not being made">
        {warning}.{' '}
        <TextLink href={`/${ctx.organization.slug}/settings/backups`}>See the history of backups</TextLink>
      </Notice>
    </div>
  );
}

function describe(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return seconds < 600 ? `${Math.round(seconds / 60)} minutes` : 'more than ten minutes';
}
