import { expect, test } from 'vitest';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { type HealthState, serveHealth } from './serve-health.ts';

const TOKEN = 'the-token-of-metrics-in-32-letters';
const host = '127.0.0.1';
const GOOD = { digest: { ok: true, detail: 'reads 3 of 6 partitions' } };
const BAD = { digest: { ok: false, detail: 'connect ECONNREFUSED 10.1.2.3:5432' } };
const FIGURES = { position: 7, depth: 42, events: 1_000, quarantined: 2 };

test('a machine without an edge answers for the health of its roles', async () => {
  const port = await findFreePort();
  let state: HealthState = { checks: GOOD, digest: FIGURES };
  const server = await serveHealth({ host, port, metricsToken: TOKEN }, () => state);
  const ask = async (path: string, authorization?: string) => {
    const headers = new Headers(authorization ? { authorization } : {});
    const response = await fetch(`http://${host}:${port}${path}`, { headers });
    return { status: response.status, body: await response.text() };
  };
  try {
    expect(await ask('/health/live')).toEqual({ status: 200, body: '{"status":"ok"}' });
    expect(await ask('/health/ready')).toEqual({ status: 200, body: '{"status":"ok"}' });
    state = { checks: BAD, digest: FIGURES };
    expect(await ask('/health/ready')).toEqual({ status: 503, body: '{"status":"unavailable"}' });
    const told = await ask('/health/ready', `Bearer ${TOKEN}`);
    expect(JSON.parse(told.body)).toEqual({ status: 'unavailable', checks: BAD });
    expect((await ask('/metrics')).status).toBe(401);
    const metrics = await ask('/metrics', `Bearer ${TOKEN}`);
    expect(metrics.body).toMatch(/^errata_up\{part="digest"\} 0$/m);
    expect(metrics.body).toMatch(/^errata_digest_waiting_records 42$/m);
    expect(metrics.body).not.toContain('errata_edge_');
    expect((await ask('/login')).status).toBe(404);
    expect((await ask('/api/1/envelope/')).status).toBe(404);
  } finally {
    server.close();
  }
});

test('a port that is taken names the setting', async () => {
  const port = await findFreePort();
  const state = () => ({ checks: {}, digest: null });
  const first = await serveHealth({ host, port, metricsToken: TOKEN }, state);
  try {
    await expect(serveHealth({ host, port, metricsToken: TOKEN }, state)).rejects.toThrow(
      `Port ${port} is in use: stop the other program, or set ERRATA_HEALTH_PORT to another one`,
    );
  } finally {
    first.close();
  }
});
