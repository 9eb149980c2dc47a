import type { JsonLimits } from './limits.ts';
import { cutText, toSafeText } from './safe-text.ts';

export type BoundedJson = { value: unknown /** Whether anything was left out. */; cut: boolean };

type Budget = { charsLeft: number; cut: boolean; readonly limits: JsonLimits; readonly unsafeText: boolean };

/**
 * Copies free-form JSON within limits. Objects and arrays that lie too deep become `[Object]` and `[Array]`,
 * long strings are shortened, and what comes after the budget is spent is left out. `__proto__` keys are dropped:
 * a later copy by assignment would set a prototype.
 */
export function boundedJson(value: unknown, limits: JsonLimits, unsafeText: boolean): BoundedJson {
  const budget: Budget = { charsLeft: limits.charsMax, cut: false, limits, unsafeText };
  return { value: copyValue(value, 0, budget), cut: budget.cut };
}

function copyValue(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return copyString(value, budget);
  budget.charsLeft -= 4;
  // JSON such as 1e999 parses to Infinity, which JSON cannot write again.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= budget.limits.depthMax) {
    const isEmpty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
    if (isEmpty) return value;
    budget.cut = true;
    return Array.isArray(value) ? '[Array]' : '[Object]';
  }
  return Array.isArray(value) ? copyArray(value, depth, budget) : copyObject(value, depth, budget);
}

function copyString(value: string, budget: Budget): string {
  const charsMax = Math.max(0, Math.min(budget.limits.stringCharsMax, budget.charsLeft));
  const kept = cutText(value, charsMax);
  budget.charsLeft -= kept.length + 2;
  if (kept.length < value.length) {
    budget.cut = true;
    return `${safe(kept, budget)}…`;
  }
  return safe(kept, budget);
}

function copyArray(source: readonly unknown[], depth: number, budget: Budget): unknown[] {
  const copy: unknown[] = [];
  for (const item of source) {
    if (budget.charsLeft <= 0 || copy.length >= budget.limits.itemsMax) {
      budget.cut = true;
      break;
    }
    copy.push(copyValue(item, depth + 1, budget));
  }
  return copy;
}

function copyObject(source: object, depth: number, budget: Budget): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  let count = 0;
  for (const [key, item] of Object.entries(source)) {
    if (budget.charsLeft <= 0 || count >= budget.limits.itemsMax) {
      budget.cut = true;
      break;
    }
    if (key === '__proto__') {
      budget.cut = true;
      continue;
    }
    copy[copyString(key, budget)] = copyValue(item, depth + 1, budget);
    count += 1;
  }
  return copy;
}

const safe = (text: string, budget: Budget): string => (budget.unsafeText ? toSafeText(text) : text);
