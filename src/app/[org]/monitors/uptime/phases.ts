import type { UptimePhases } from '#domain/uptime/check.ts';
import { formatDuration } from '#domain/uptime/format-duration.ts';

const PHASES: readonly (readonly [keyof UptimePhases, string])[] = [
  ['dnsMs', 'DNS'],
  ['connectMs', 'connect'],
  ['tlsMs', 'TLS'],
  ['firstByteMs', 'first byte'],
];

/** `DNS 2 ms, connect 12 ms, first byte 40 ms`; a dash for none. */
export function describePhases(phases: UptimePhases): string {
  const parts = PHASES.flatMap(([phase, name]) => {
    const ms = phases[phase];
    return ms === null ? [] : [`${name} ${formatDuration(ms)}`];
  });
  return parts.join(', ') || '—';
}
