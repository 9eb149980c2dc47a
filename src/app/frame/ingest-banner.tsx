import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { Notice } from '#ui/notice.tsx';

/** Says that what programs send is not on the pages yet, to those who set projects up; nothing while all is well. */
export function IngestBanner({ ctx }: { ctx: Context }) {
  if (!hasRight(ctx.actor, 'project:write')) return null;
  const lag = getServices().findIngestLag();
  if (!lag) return null;
  return (
    <div className="px-4 pt-3 sm:px-6">
      <Notice tone="warning" title={`New events appear ${describe(lag.seconds)} late`}>
        {lag.reason
          ? `Storing stands still: ${lag.reason}. `
          : 'More arrives than this server stores at the moment. '}
        Nothing is lost: it waits on disk, and the numbers catch up by themselves. The log and{' '}
        <code className="mono text-xs">npx errata status</code> say more.
      </Notice>
    </div>
  );
}

function describe(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return seconds < 600 ? `${Math.round(seconds / 60)} minutes` : 'more than ten minutes';
}
