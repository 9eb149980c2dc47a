import { isLoopbackHost } from '#lib/loopback-host.ts';
import { cx } from '#ui/cx.ts';

/** A line beside an address that only this machine reaches; nothing beside any other. */
export function LoopbackNotice({ address, className }: { address: string; className?: string }) {
  if (!isLoopbackHost(new URL(address).hostname)) return null;
  return (
    <p className={cx('text-text-muted text-xs', className)}>
      This address works on this machine only: set <code className="mono">ERRATA_URL</code> to the one that
      others reach.
    </p>
  );
}
