import { expect, test } from 'vitest';
import { asItIs } from './link-tracker-issue.ts';

test('what programs sent is no markup: it cannot end what it stands in', () => {
  const lines = ['Error: ``` @everyone {noformat}*bold*', 'Where: { NoFormat} #1'];
  expect(asItIs('github', lines)).toBe(
    '```text\nError: ``` @everyone {noformat}*bold*\nWhere: { NoFormat} #1\n```',
  );
  expect(asItIs('jira', lines)).toBe(
    '{noformat}\nError: ``` @everyone (noformat}*bold*\nWhere: (noformat} #1\n{noformat}',
  );
});
