import { isLoopbackHost } from '#lib/loopback-host.ts';
import type { FirstRun } from './messages.ts';

/**
 * What a start says at its end. One text, so that whoever waits for its first line has the others too; what is to be
 * used next stands last.
 */
export function describeStart(publicUrl: string, firstRun: FirstRun, tookMs: number): string {
  const { protocol, hostname } = new URL(publicUrl);
  const lines = [`Errata is ready: ${publicUrl}`];
  lines.push(`Started in ${(Math.max(0, tookMs) / 1000).toFixed(1)} s. Ctrl-C stops everything.`);
  if (isLoopbackHost(hostname)) {
    lines.push('Note: only this machine reaches that address. Set ERRATA_URL to the one that others reach.');
  } else if (protocol === 'http:') {
    lines.push(
      'Note: passwords and events travel unencrypted over plain http. Put https in front where the network is not yours.',
    );
  }
  if (firstRun.kind === 'setup') {
    lines.push(`Finish the set-up here (the address works once): ${firstRun.address}`);
  } else if (firstRun.dsn) {
    lines.push(`DSN: ${firstRun.dsn}`);
  }
  return lines.join('\n');
}
