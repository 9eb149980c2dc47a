import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { breadcrumbsOf, exceptionsOf, findEvent } from '../harness/find-event.ts';
import { readEventId, runProgram } from '../harness/run-program.ts';
import { makeProject } from '../harness/shared-errata.ts';

test('an error of a Python program is an issue within two seconds, with lines and local variables', async (context) => {
  const python = findPythonWithSdk();
  if (python === null) return context.skip('no Python here can import sentry_sdk');
  const { api, dsn, slug } = await makeProject('python-sdk');

  const program = await runProgram('python_throws.py', { command: python, args: [dsn] });
  const { event, issue } = await findEvent(api, slug, readEventId(program));

  expect(issue.title).toContain('KeyError');
  expect(issue.culprit).toContain('total_of');
  const crashed = exceptionsOf(event)[0]?.stacktrace?.frames.at(-1);
  expect(crashed).toMatchObject({ function: 'total_of', inApp: true });
  expect(crashed?.context.find(([line]) => line === crashed.lineNo)?.[1]).toContain('invoice["lines"]');
  expect(crashed?.vars).toMatchObject({ currency: "'EUR'" });
  expect(breadcrumbsOf(event).map((crumb) => crumb.message)).toContain('opened the ledger');
  expect(event.platform).toBe('python');
});

function findPythonWithSdk(): string | null {
  const candidates = ['python3', '/usr/bin/python3'];
  return candidates.find((python) => spawnSync(python, ['-c', 'import sentry_sdk']).status === 0) ?? null;
}
