const STEPS = [
  { unit: 'h', us: 3_600_000_000 },
  { unit: 'min', us: 60_000_000 },
  { unit: 's', us: 1_000_000 },
  { unit: 'ms', us: 1_000 },
] as const;

/** A short length of time, with three digits that count: `340 µs`, `12.3 ms`, `1.24 s`, `2.5 min`. */
export function formatElapsed(us: number): string {
  const step = STEPS.find((each) => Math.abs(us) >= each.us);
  if (!step) return `${Math.round(us)} µs`;
  const amount = us / step.us;
  const digits = Math.abs(amount) >= 100 ? 0 : Math.abs(amount) >= 10 ? 1 : 2;
  return `${Number(amount.toFixed(digits))} ${step.unit}`;
}
