import type { DigestItem } from '../item.ts';
import { digestReports } from './digest-reports.ts';
import { nelEvent } from './nel-report.ts';

/** Reports of browsers on connections that failed (Network Error Logging). */
export const digestNel: DigestItem = (item, context) =>
  digestReports(item, context, (report) => {
    const event = nelEvent(report, context.receivedAtMs);
    return event === null
      ? { kind: 'refused', outcome: 'invalid', reason: 'invalid_nel' }
      : { kind: 'event', event };
  });
