import { expect, test } from 'vitest';
import { PRIORITY_LABELS } from '../triage/priority-icon.tsx';
import { STATUS_APPEARANCE } from '../triage/status-badge.tsx';
import { hasRowIcon } from './row-icons.tsx';

test('a row has an icon for each priority, and for each status that has one elsewhere', () => {
  const statuses = Object.entries(STATUS_APPEARANCE).filter(([, appearance]) => appearance?.icon);
  expect(statuses).not.toHaveLength(0);
  for (const name of [...Object.keys(PRIORITY_LABELS), ...statuses.map(([status]) => status)]) {
    expect(hasRowIcon(name), name).toBe(true);
  }
});
