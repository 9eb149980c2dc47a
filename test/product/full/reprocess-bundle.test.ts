import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSourceMap } from '../../harness/make-source-map.ts';
import { openProduct, type Product } from '../open-product.ts';
import { openReprocessScene, SEGMENTS, SOURCES } from '../reprocess-scene.ts';

const DEBUG_ID = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(() => product?.close());

test('a bundle of no release is applied to events of a server, whose built code the SDK read', async () => {
  const scene = await openReprocessScene(product);
  const [event] = await scene.send([
    { columns: [100], release: null, debugId: DEBUG_ID, contextLine: 'a.b(c);' },
  ]);
  const frameOf = async () => {
    const { payload } = await scene.readEvent(event!.eventId);
    return payload.exception?.values[0]?.stacktrace?.frames[0];
  };
  expect(await frameOf()).toMatchObject({
    context_line: 'a.b(c);',
    data: { source_problem: { reason: 'debug_id_not_uploaded', debugId: DEBUG_ID } },
  });

  const content = makeSourceMap(SOURCES, SEGMENTS, { file: 'app.js' });
  const { id } = await scene.uploadFile(
    { name: 'app.js.map', content, kind: 'source_map', debugId: DEBUG_ID },
    null,
  );
  await scene.start({ kind: 'bundle', bundleId: id });
  expect(await scene.work()).toBe(true);
  expect(await frameOf()).toMatchObject({ lineno: 8, context_line: 'cart line 8' });
  await scene.close();
});
