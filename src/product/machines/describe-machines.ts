import type { RoleProcess } from './role-process-store.ts';

/** Clocks that are kept in time differ by less. */
export const CLOCK_MS_MAX = 1_000;
/** A process that is heard of less often than this is gone, or cut off. */
export const SILENT_MS_MAX = 60_000;

export type MachineState = {
  name: string;
  /** As a sentence has it: `edge, web of 0.2.0, its clock is 2.1 s ahead`. */
  detail: string;
  /** What is wrong with it; null when it is well. */
  trouble: 'clock' | 'silent' | null;
};

/** A state for each machine, by name. */
export function describeMachines(processes: readonly RoleProcess[]): readonly MachineState[] {
  return [...Map.groupBy(processes, ({ machine }) => machine)].map(([name, own]) => {
    // The latest of each role: one that was started anew replaces the one that died.
    const living = own.filter(({ silentMs }) => silentMs <= SILENT_MS_MAX);
    const shown = living.length > 0 ? living : own;
    const roles = [...Map.groupBy(shown, ({ version }) => version)].map(
      ([version, of]) => `${[...new Set(of.map(({ role }) => role))].join(', ')} of ${version}`,
    );
    const silentMs = Math.min(...own.map((each) => each.silentMs));
    const clockAheadMs = findWorst(shown.map((each) => each.clockAheadMs));
    const parts = [roles.join('; ')];
    if (living.length === 0) parts.push(`silent for ${Math.round(silentMs / 1_000)} s`);
    if (clockAheadMs !== null) parts.push(describeClock(clockAheadMs));
    const isOff = clockAheadMs !== null && Math.abs(clockAheadMs) > CLOCK_MS_MAX;
    return {
      name,
      detail: parts.join(', '),
      trouble: living.length === 0 ? 'silent' : isOff ? 'clock' : null,
    };
  });
}

function describeClock(aheadMs: number): string {
  const off = Math.abs(aheadMs);
  const amount = off < 1_000 ? `${Math.round(off)} ms` : `${(off / 1_000).toFixed(1)} s`;
  return `its clock is ${amount} ${aheadMs < 0 ? 'behind' : 'ahead'}`;
}

const findWorst = (values: readonly (number | null)[]): number | null =>
  values.reduce(
    (worst, value) => (value !== null && Math.abs(value) >= Math.abs(worst ?? 0) ? value : worst),
    null,
  );
