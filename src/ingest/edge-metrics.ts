import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type EdgeMetrics = ReturnType<typeof createEdgeMetrics>;

/** What `/metrics` shows of the edge; other roles' figures are set by the composition root. */
export function createEdgeMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'errata_edge_' });
  return {
    registry,
    answers: new Counter({
      name: 'errata_ingest_answers_total',
      help: 'Ingest requests by route and status.',
      labelNames: ['route', 'status'] as const,
      registers: [registry],
    }),
    seconds: new Histogram({
      name: 'errata_ingest_seconds',
      help: 'Time from the request to the answer, the sync to disk included.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    }),
    spoolBytes: new Gauge({
      name: 'errata_spool_bytes',
      help: 'Bytes that wait between edge and digest.',
      registers: [registry],
    }),
    digestDepth: new Gauge({
      name: 'errata_digest_waiting_records',
      help: 'Records that wait for digest.',
      registers: [registry],
    }),
    digestEvents: new Gauge({
      name: 'errata_digest_events',
      help: 'Events stored since digest started.',
      registers: [registry],
    }),
    digestQuarantined: new Gauge({
      name: 'errata_digest_quarantined',
      help: 'Items set aside since digest started.',
      registers: [registry],
    }),
    up: new Gauge({
      name: 'errata_up',
      help: '1 when the role or store answers.',
      labelNames: ['part'] as const,
      registers: [registry],
    }),
  };
}
