import { describe, expect, it } from 'vitest';
import { stackView } from './frame-view.ts';
import { CHARACTERS_SHOWN_MAX, FRAMES_SHOWN_MAX, planStacks } from './plan-stacks.ts';

const own = (count: number, source = '') =>
  stackView({
    frames: Array.from({ length: count }, () => ({ function: 'f', in_app: true, context_line: source })),
  });

describe('the stacks of a page', () => {
  it('are whole when they are small', () => {
    const [plan, none] = planStacks([own(20), null], 'newest', false);
    expect([plan?.rows.length, plan?.left, none]).toEqual([20, 0, null]);
  });

  it('hold a bounded number of frames together', () => {
    const plans = planStacks([own(80), own(80), own(10)], 'newest', false);
    expect(plans.map((plan) => [plan?.rows.length, plan?.left])).toEqual([
      [80, 0],
      [20, 60],
      [0, 10],
    ]);
    const shown = plans.reduce((sum, plan) => sum + (plan?.rows.length ?? 0), 0);
    expect(shown).toBe(FRAMES_SHOWN_MAX);
  });

  it('hold a bounded number of characters together', () => {
    const [plan] = planStacks([own(100, 'x'.repeat(2_000))], 'newest', false);
    // Lines are cut to about a thousand characters.
    expect(plan?.rows.length).toBe(Math.floor(CHARACTERS_SHOWN_MAX / 1_002));
    expect(plan?.left).toBe(1);
  });

  it('count the frames that a folded row holds', () => {
    const library = Array.from({ length: FRAMES_SHOWN_MAX }, () => ({ function: 'l', in_app: false }));
    const stack = stackView({ frames: [...library, { function: 'f', in_app: true }] });
    const [plan] = planStacks([stack], 'newest', false);
    expect([plan?.rows.length, plan?.left]).toEqual([1, 1]);
  });
});
