import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EDGE_KEY, EDGE_PROJECT, type OpenEdge, openEdge, send } from './harness/open-edge.ts';

/** What the project was called where its key comes from. */
const FORMER = 4_507_301_234_567_890;
const EVENT = '{"type":"event"}\n{"message":"from an app that nobody has deployed since"}\n';

let edge: OpenEdge;
beforeEach(async () => {
  edge = await openEdge({ formerProjectId: FORMER });
});
afterEach(async () => {
  await edge.close();
});

describe('a DSN of the installation that a key was imported from', () => {
  test.each([
    ['its number in the path', `/api/${FORMER}/envelope/`, `{}\n${EVENT}`],
    [
      'its DSN in the header of the envelope as well',
      `/api/${FORMER}/envelope/`,
      `{"dsn":"https://${EDGE_KEY}@old.example.com/${FORMER}"}\n${EVENT}`,
    ],
    [
      'its DSN in the envelope, and the new number in the path',
      `/api/${EDGE_PROJECT}/envelope/`,
      `{"dsn":"https://${EDGE_KEY}@old.example.com/${FORMER}"}\n${EVENT}`,
    ],
    ['the store endpoint of old SDKs', `/api/${FORMER}/store/`, '{"message":"old"}'],
  ])('is accepted by %s, for the project here', async (_name, path, body) => {
    expect((await send(edge, path, body)).status).toBe(200);
    expect(edge.records).toMatchObject([{ projectId: EDGE_PROJECT, keyId: 3 }]);
  });

  test('is refused with the number of any other project', async () => {
    const response = await send(edge, `/api/${FORMER + 1}/envelope/`, `{}\n${EVENT}`);
    expect(response.status).toBe(403);
    expect(edge.records).toEqual([]);
  });
});
