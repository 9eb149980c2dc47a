import { DAY_MS } from '#lib/time.ts';
import { buildEnvelope, type Dsn, postEnvelope } from '../harness/envelope.ts';

const DAYS = 13;
const RELEASES = [
  { release: 'web@2.0.9', sessionsPerDay: 900, crashedShare: 0.012, fadesOut: true },
  { release: 'web@2.1.0', sessionsPerDay: 1_400, crashedShare: 0.004, fadesOut: false },
] as const;

/** A fortnight of sessions, in which one release takes over from the other. */
export async function fillSessions(dsn: Dsn): Promise<void> {
  for (let day = DAYS; day >= 0; day--) {
    for (const { release, sessionsPerDay, crashedShare, fadesOut } of RELEASES) {
      const share = fadesOut ? day / DAYS : 1 - day / DAYS;
      const all = Math.round(sessionsPerDay * share);
      const crashed = Math.round(all * crashedShare);
      const payload = JSON.stringify({
        attrs: { release, environment: 'production' },
        aggregates: [
          { started: new Date(Date.now() - day * DAY_MS).toISOString(), exited: all - crashed, crashed },
        ],
      });
      const answer = await postEnvelope(dsn, buildEnvelope({}, [{ type: 'sessions', payload }]));
      if (answer.status !== 200) throw new Error(`The server answered ${answer.status}`);
    }
  }
}
