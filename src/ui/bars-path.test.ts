import { describe, expect, it } from 'vitest';
import { barsPath, niceCeiling } from './bars-path.ts';

const box = { height: 24, barWidth: 3, gap: 1 };

describe('barsPath', () => {
  it('draws nothing for zero and something for one among thousands', () => {
    expect(barsPath([0, 0], box)).toBe('');
    expect(barsPath([1, 0, 10_000], box)).toBe('M0 24V22.5h3V24zM8 24V0h3V24z');
  });

  it('keeps within the scale it shares with others', () => {
    expect(barsPath([50, 200], { ...box, max: 100 })).toBe('M0 24V12h3V24zM4 24V0h3V24z');
  });
});

describe('niceCeiling', () => {
  it('is a round number that is not below the value', () => {
    expect([0, 1, 3, 7, 12, 24, 26, 842, 1_001].map(niceCeiling)).toEqual([
      1, 1, 3, 10, 20, 25, 50, 1_000, 2_000,
    ]);
  });
});
