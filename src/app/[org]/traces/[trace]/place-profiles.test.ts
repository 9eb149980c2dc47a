import { expect, test } from 'vitest';
import type { TraceOutline } from '#product/traces/trace-outline.ts';
import { enclosingProfile, placeProfiles, profileOfSpan, type TraceProfile } from './place-profiles.ts';

const ID = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
const began = Date.UTC(2026, 10, 21, 10);
const transaction = (change: object) => ({
  projectId: 1,
  eventId: 'e',
  spanId: 's',
  name: '/cart',
  startedAtUs: began * 1_000,
  endedAtUs: (began + 250) * 1_000,
  profileId: null,
  payload: {},
  ...change,
});
const place = (
  transactions: readonly object[],
  profiles: readonly object[] = [],
  roots: readonly object[] = [],
) =>
  placeProfiles(
    { transactions, profiles, roots, projects: [{ id: 1, slug: 'web' }] } as unknown as TraceOutline,
    'main',
  ).map(({ spanId, href }) => [spanId, href]);

test('a transaction leads to the profile that it names, and once', () => {
  const profile = {
    projectId: 1,
    profileId: ID,
    profilerId: null,
    occurredAt: began,
    durationMs: 5,
    transactionName: '/cart',
  };
  expect(place([transaction({ profileId: ID })], [profile])).toEqual([['s', `/main/profiles/web/${ID}`]]);
  expect(place([], [profile])).toEqual([[null, `/main/profiles/web/${ID}`]]);
  expect(place([transaction({})])).toEqual([]);
  expect(place([transaction({ profileId: ID, projectId: 2 })])).toEqual([]);
});

test('a transaction that ran while a profiler was on leads to its thread and its time', () => {
  const contexts = { profile: { profiler_id: OTHER }, trace: { data: { 'thread.id': 7 } } };
  const href = `/main/profiles/web/continuous/${OTHER}?from=2026-11-21T10%3A00%3A00.000Z&to=2026-11-21T10%3A00%3A00.250Z&thread=7`;
  expect(place([transaction({ payload: { contexts } })])).toEqual([['s', href]]);
  const span = { startedAtUs: began * 1_000, durationUs: 250_000 };
  const attributes = { profiler_id: OTHER, 'thread.id': '7' };
  expect(profileOfSpan({ ...span, attributes }, 'main', 'web')).toBe(href);
  expect(profileOfSpan({ ...span, attributes: { profiler_id: 'x' } }, 'main', 'web')).toBeNull();
  expect(place([transaction({ payload: { contexts: [1], trace: 'x' } })])).toEqual([]);
});

test('what came span by span leads to its profiler, once', () => {
  const root = {
    projectSlug: 'web',
    spanId: 's',
    name: 'GET /cart',
    startedAtUs: began * 1_000,
    endedAtUs: (began + 250) * 1_000,
    profilerId: OTHER,
    threadId: '7',
  };
  const href = `/main/profiles/web/continuous/${OTHER}?from=2026-11-21T10%3A00%3A00.000Z&to=2026-11-21T10%3A00%3A00.250Z&thread=7`;
  expect(place([], [], [root])).toEqual([['s', href]]);
  expect(place([], [], [{ ...root, profilerId: null }])).toEqual([]);
  expect(place([transaction({ profileId: ID })], [], [root])).toEqual([['s', `/main/profiles/web/${ID}`]]);
});

test('a span within a transaction leads to what the profiler saw meanwhile, and not to that of another one', () => {
  const continuous = { profilerId: OTHER, threadId: '7' };
  const profiles = [{ spanId: 'root', continuous }] as TraceProfile[];
  const root = { spanId: 'root', project: 'web', isSegment: true, parent: null };
  const child = { spanId: 'child', project: 'web', isSegment: false, parent: root };
  expect(enclosingProfile({ ...child, spanId: 'leaf', parent: child }, profiles)).toBe(profiles[0]);
  expect(enclosingProfile({ ...child, isSegment: true }, profiles)).toBeNull();
  expect(enclosingProfile({ ...child, project: 'api' }, profiles)).toBeNull();
  const span = { startedAtUs: began * 1_000, durationUs: 250_000, attributes: {} };
  expect(profileOfSpan(span, 'main', 'web', continuous)).toContain(`/continuous/${OTHER}?`);
  expect(profileOfSpan(span, 'main', 'web', continuous)).toContain('thread=7');
});
