import { expect, test } from 'vitest';
import { FIRST_HEARTBEAT_MS_MAX, HEARTBEAT_AGE_MS_MAX, Heartbeats } from './heartbeats.ts';

test('a role that spoke hangs after half a minute of silence', () => {
  const heartbeats = new Heartbeats();
  heartbeats.started('digest', 0);
  heartbeats.heard('digest', { ok: true, detail: '' }, 1000);
  expect(heartbeats.silenceMs('digest', 1000 + HEARTBEAT_AGE_MS_MAX)).toBeNull();
  expect(heartbeats.silenceMs('digest', 1001 + HEARTBEAT_AGE_MS_MAX)).toBe(HEARTBEAT_AGE_MS_MAX + 1);
  heartbeats.heard('digest', { ok: true, detail: '' }, 60_000);
  expect(heartbeats.silenceMs('digest', 61_000)).toBeNull();
});

test('a role that starts slowly is waited for, and not for ever', () => {
  const heartbeats = new Heartbeats();
  heartbeats.started('jobs', 0);
  expect(heartbeats.silenceMs('jobs', 2 * HEARTBEAT_AGE_MS_MAX)).toBeNull();
  expect(heartbeats.silenceMs('jobs', FIRST_HEARTBEAT_MS_MAX + 1)).toBe(FIRST_HEARTBEAT_MS_MAX + 1);
  heartbeats.killed('jobs', FIRST_HEARTBEAT_MS_MAX + 1);
  expect(heartbeats.checkOf('jobs')).toEqual({ ok: false, detail: 'was killed, it hung' });
  expect(heartbeats.silenceMs('jobs', FIRST_HEARTBEAT_MS_MAX + 2 * HEARTBEAT_AGE_MS_MAX)).toBeNull();
});
