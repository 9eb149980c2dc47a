import { expect, test } from 'vitest';
import type { ApiEvent, ApiIssue } from '../../harness/api-client.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { makeProject } from '../../harness/shared-errata.ts';

const AT_ONCE = 50;

test('the list counts a busy issue anew once two hundredths came, its latest event is found at once', async () => {
  const { api, slug, dsn } = await makeProject('reused-counts');
  const parsedDsn = parseDsn(dsn);
  const list = `/api/0/projects/main/${slug}/issues/?query=&limit=25`;
  const readIssue = async () => (await api.get<ApiIssue[]>(list))[0];
  const readCount = async () => (await readIssue())?.count;
  // Beside the read that still gets the old counts they are made anew, which the next reads show.
  const settled = { timeout: 60_000 };

  await send(10_500);
  await expect.poll(readCount, settled).toBe('10500');
  const latest = await send(20);
  await expect.poll(readLatest, settled).toBe(latest);
  expect(await readCount()).toBe('10500');
  await send(300);
  await expect.poll(readCount, settled).toBe('10820');

  async function readLatest() {
    const issue = await readIssue();
    return (await api.get<ApiEvent>(`/api/0/issues/${issue?.id}/events/latest/`)).eventID;
  }

  /** The ID of the last. */
  async function send(events: number): Promise<string> {
    let last = '';
    for (let sent = 0; sent < events; sent += AT_ONCE) {
      const ids = Array.from({ length: Math.min(AT_ONCE, events - sent) }, newEventId);
      const timestamp = Date.now() / 1_000;
      const answers = await Promise.all(
        ids.map((event_id, at) =>
          postEnvelope(
            parsedDsn,
            eventEnvelope({ event_id, timestamp: timestamp + at / 1_000, message: 'Busy', level: 'error' }),
          ),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      last = ids.at(-1) ?? last;
    }
    return last;
  }
});
