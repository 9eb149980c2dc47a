import { MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { type ApiScene, openApiScene } from './api-scene.ts';

export const TRACE = '4c79f60c11214eb38604f4ae0781bfb2';

/** Six spans of two projects, two logs, three metrics and three errors, from noon on. */
export async function openEventsScene(): Promise<ApiScene> {
  const scene = await openApiScene();
  const { product, mine, web, api } = scene;
  product.clock.nowMs = NOON_MS + 10 * MINUTE_MS;
  const at = (index: number) => (NOON_MS + index * MINUTE_MS) * 1_000;
  const origin = (project: { id: number }) => ({ organizationId: mine.id, projectId: project.id });
  await product.stores.telemetry.insert(
    {
      spans: [10, 20, 30, 40, 50, 60].map((ms, index) =>
        makeRow('spans', {
          ...origin(index < 4 ? web : api),
          traceId: TRACE,
          startedAtUs: at(index),
          durationUs: ms * 1_000,
          op: index < 3 ? 'http.server' : 'db',
          name: index % 2 === 0 ? 'GET /cart' : 'POST /pay',
          segmentName: 'GET /cart',
          isSegment: index < 4,
          transactionId: `${index}`.repeat(32),
          status: index === 3 ? 'internal_error' : 'ok',
          attributes: { 'http.response.status_code': index === 3 ? 500 : 200, 'cart.size': index },
        }),
      ),
      logs: ['info', 'error'].map((level, index) =>
        makeRow('logs', {
          ...origin(index === 0 ? web : api),
          traceId: TRACE,
          level: level as 'info',
          body: `Order ${index} paid`,
          occurredAtUs: at(index) + 500,
          attributes: { 'order.number': index },
        }),
      ),
      metrics: [5, 7, 9].map((value, index) =>
        makeRow('metrics', {
          ...origin(web),
          name: index === 2 ? 'other' : 'checkout.time',
          type: 'distribution',
          unit: 'millisecond',
          value,
          occurredAtUs: at(index),
        }),
      ),
    },
    'events',
  );
  const error = { projectId: web.id, occurredAt: NOON_MS, release: 'web@1', environment: 'production' };
  await product.ingest(mine, [
    error,
    { ...error, release: 'web@2' },
    { ...error, release: 'web@2', environment: 'staging', projectId: api.id },
  ]);
  return scene;
}
