import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { askFrom } from './harness/ask-from.ts';
import { EDGE_METRICS_TOKEN, type OpenEdge, openEdge } from './harness/open-edge.ts';

const CHECKS = {
  postgres: { ok: true, detail: 'answered in 2 ms' },
  clickhouse: { ok: true, detail: 'answered in 3 ms' },
};
const AWAY = { ok: false, detail: 'connect ECONNREFUSED 10.1.2.3:8123' };

let edge: OpenEdge;
let checks: typeof CHECKS;
beforeAll(async () => {
  edge = await openEdge({ checkHealth: async () => checks });
});
beforeEach(() => {
  checks = CHECKS;
});
afterAll(() => edge.close());

const ask = (path: string, authorization?: string) =>
  askFrom(undefined, `${edge.url}${path}`, authorization === undefined ? {} : { headers: { authorization } });
const TOKEN = `Bearer ${EDGE_METRICS_TOKEN}`;

test('the public learns whether it is ready, and nothing else', async () => {
  for (const authorization of [undefined, 'Bearer wrong', `Basic ${EDGE_METRICS_TOKEN}`, 'Bearer ']) {
    checks = CHECKS;
    const ready = await ask('/health/ready', authorization);
    expect([ready.status, JSON.parse(ready.body)]).toEqual([200, { status: 'ok' }]);
    checks = { ...CHECKS, clickhouse: AWAY };
    const broken = await ask('/health/ready', authorization);
    expect([broken.status, JSON.parse(broken.body)]).toEqual([503, { status: 'unavailable' }]);
  }
});

test('an edge that takes events says so, whatever else is in trouble', async () => {
  checks = { ...CHECKS, clickhouse: AWAY };
  const answer = await ask('/health/ingest');
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { status: 'ok' }]);
});

test('the token is told of each part', async () => {
  checks = { ...CHECKS, clickhouse: AWAY };
  const broken = await ask('/health/ready', TOKEN);
  expect([broken.status, JSON.parse(broken.body)]).toEqual([503, { status: 'unavailable', checks }]);
});

test('metrics are for the token alone', async () => {
  for (const authorization of [undefined, 'Bearer wrong', `Basic ${EDGE_METRICS_TOKEN}`]) {
    const refused = await ask('/metrics', authorization);
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="metrics"']);
    expect(refused.body).not.toContain('errata_');
  }
  expect((await ask(`/metrics?token=${EDGE_METRICS_TOKEN}`)).status).toBe(401);
  const { status, body } = await ask('/metrics', TOKEN);
  expect(status).toBe(200);
  expect(body).toMatch(/^errata_up\{part="clickhouse"\} 1$/m);
  expect(body).toMatch(/^errata_edge_connections [1-9]\d*$/m);
  expect(body).toMatch(/^errata_edge_web_requests\{lane="live",state="active"\} 0$/m);
});
