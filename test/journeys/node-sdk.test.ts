import { expect, test } from 'vitest';
import { breadcrumbsOf, exceptionsOf, findCounted, findEvent } from '../harness/find-event.ts';
import { readEventId, runProgram } from '../harness/run-program.ts';
import { makeProject } from '../harness/shared-errata.ts';

test('a crash of a program with @sentry/node is an issue within two seconds, with its lines and its trail', async () => {
  const { api, dsn, slug } = await makeProject('node-sdk');
  const program = await runProgram('node-throws.mjs', { env: { SENTRY_DSN: dsn } });
  expect(program.code, 'the SDK must not keep the program from failing').toBe(1);

  const { event, issue } = await findEvent(api, slug, readEventId(program));

  expect(issue.title).toContain('TypeError');
  expect(issue.culprit).toContain('readDiscount');
  expect(issue).toMatchObject({
    status: 'unresolved',
    level: expect.stringMatching(/error|fatal/),
  });
  await findCounted(api, issue.id, 1);
  expect(issue.project.slug).toBe(slug);
  expect(event.platform).toBe('node');

  const [exception] = exceptionsOf(event);
  expect(exception?.type).toBe('TypeError');
  expect(exception?.value).toContain('percent');
  const frames = exception?.stacktrace?.frames ?? [];
  const crashed = frames.at(-1);
  expect(crashed).toMatchObject({ function: 'readDiscount', inApp: true });
  expect(frames.map((frame) => frame.function)).toContain('applyCoupon');
  expect(crashed?.context.find(([line]) => line === crashed.lineNo)?.[1]).toContain(
    'return coupon.discount.percent;',
  );

  expect(breadcrumbsOf(event).map((crumb) => crumb.message)).toContain('added a bicycle');
  expect(event.user).toMatchObject({ id: '77', email: 'ada@example.com' });
  expect(event.tags).toContainEqual(expect.objectContaining({ key: 'region', value: 'eu-west' }));
  expect(event.tags).toContainEqual(expect.objectContaining({ key: 'environment', value: 'staging' }));
  expect(event.sdk?.name).toBe('sentry.javascript.node');
});

test('the same crash again is the same issue, counted twice', async () => {
  const { api, dsn, slug } = await makeProject('node-sdk-twice');
  const first = await findEvent(
    api,
    slug,
    readEventId(await runProgram('node-throws.mjs', { env: { SENTRY_DSN: dsn } })),
  );
  const second = await findEvent(
    api,
    slug,
    readEventId(await runProgram('node-throws.mjs', { env: { SENTRY_DSN: dsn } })),
  );
  expect(second.issue.id).toBe(first.issue.id);
  await findCounted(api, first.issue.id, 2);
});
