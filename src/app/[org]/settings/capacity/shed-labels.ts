import { CATEGORY_LABELS, reasonLabel } from '#app/[org]/stats/outcome-labels.ts';
import type { Forecast } from '#product/capacity/forecast-disk.ts';
import type { ShedLoad } from '#product/capacity/get-load-shedding.ts';
import type { BlobRefusal } from '#protocol/storage-budget.ts';
import { formatBytes, formatExact } from '#ui/format-number.ts';

/** What happens, why, and what can be done about it. */
export type ShedLabel = {
  what: string;
  why: string;
  next: { label: string; href: string };
};

const REFUSALS: Readonly<Record<BlobRefusal, string>> = {
  project_budget: 'The project has used up its own disk budget.',
  project_growth: 'The project added too much within a minute while the disk is nearly full.',
  blob_share: 'Attachments, replays, profiles and dumps have used up their half of the disk budget.',
  near_budget: 'The disk budget is nearly used up, and the project uses more than an equal share.',
  full: 'The disk budget is used up.',
};

const DROPS = {
  disk_budget: 'The disk budget was nearly used up: the largest projects lose their oldest data first.',
  blob_budget: 'Attachments, replays, profiles and dumps had used up their half of the disk budget.',
  project_budget: 'The project was over its own disk budget.',
} as const;

export function describeShed(org: string, shed: ShedLoad): ShedLabel {
  const settings = `/${org}/settings/projects/${shed.projectSlug}`;
  const storage = { label: 'Storage settings', href: `/${org}/settings/storage` };
  switch (shed.kind) {
    case 'rate_limited': {
      const category = CATEGORY_LABELS[shed.category as keyof typeof CATEGORY_LABELS] ?? shed.category;
      const { label, meaning } = reasonLabel('rate_limited', shed.reason);
      return {
        what: `${category}: ${formatExact(shed.lastDay)} rejected in 24 hours, ${formatExact(shed.lastHour)} of them in the last hour or two`,
        why: `${label}: ${meaning}`,
        next: LIMIT_PAGES[shed.reason]?.(org, settings) ?? {
          label: 'Outcomes',
          href: `/${org}/stats?project=${shed.projectSlug}`,
        },
      };
    }
    case 'sampled_bodies':
      return {
        what: `Events: ${formatExact(shed.lastDay)} of ${formatExact(shed.eventsLastDay)} in 24 hours are stored without their details, ${formatExact(shed.lastHour)} of them in the last hour`,
        why: 'Spike protection: an issue passed its threshold for the hour. All events are counted; of some, the stack trace and context are kept.',
        next: { label: 'Spike protection', href: `${settings}/rate-limits` },
      };
    case 'blobs_refused':
      return {
        what: 'Attachments, replays, profiles and dumps: new ones are rejected',
        why: `${REFUSALS[shed.refusal]} Events are still accepted.`,
        next: storage,
      };
    case 'dropped':
      return {
        what: `Stored data: ${formatExact(shed.rows)} rows (${formatBytes(shed.bytes)}) deleted in 24 hours`,
        why: DROPS[shed.reason],
        next: storage,
      };
    case 'detection_paused':
      return {
        what: 'Performance issues: detection is paused until the next full hour',
        why: `${formatExact(shed.events)} events of performance issues were found in this hour; the limit is ${formatExact(shed.eventsMax)}.`,
        next: { label: 'Performance issue settings', href: `${settings}/performance-issues` },
      };
  }
}

const LIMIT_PAGES: Readonly<Record<string, (org: string, settings: string) => ShedLabel['next']>> = {
  key_quota: (_, settings) => ({ label: 'Client keys', href: `${settings}/keys` }),
  project_quota: (_, settings) => ({ label: 'Rate limits', href: `${settings}/rate-limits` }),
  org_quota: (org) => ({ label: 'Quotas', href: `/${org}/settings/quotas` }),
  blob_budget: (org) => ({ label: 'Storage settings', href: `/${org}/settings/storage` }),
};

/** One sentence on how long the disk lasts, and what to do. */
export function describeForecast(
  { bytesPerDay, daysMeasured, daysLeft, settlesAtBytes }: Forecast,
  budgetBytes: number,
): { title: string; text: string; tone: 'success' | 'warning' | 'danger' | 'info' } {
  if (bytesPerDay === null && daysLeft !== 0) {
    return {
      title: 'No forecast yet',
      text: 'It needs one full day (UTC) of data.',
      tone: 'info',
    };
  }
  const days = daysMeasured === 1 ? 'the last full day' : `the last ${daysMeasured} full days`;
  const rate =
    bytesPerDay === null ? '' : `At the rate of ${days}, ${formatBytes(bytesPerDay)} a day are added. `;
  if (daysLeft === null) {
    const share = Math.round((settlesAtBytes / budgetBytes) * 100);
    return {
      title: 'The disk budget is enough',
      text: `${rate}Retention deletes old data before the budget is used up: usage settles at ${formatBytes(settlesAtBytes)}, ${share}% of the budget.`,
      tone: 'success',
    };
  }
  const next = 'Increase ERRATA_DISK_BYTES_MAX, shorten retention, or set project budgets.';
  if (daysLeft === 0) {
    return {
      title: 'The disk budget is used up',
      text: `${rate}Data is deleted before its retention ends. ${next}`,
      tone: 'danger',
    };
  }
  return {
    title: `The disk budget lasts ${daysLeft === 1 ? 'one more day' : `${formatExact(daysLeft)} more days`}`,
    text: `${rate}After that, data is deleted before its retention ends. ${next}`,
    tone: daysLeft <= 14 ? 'warning' : 'info',
  };
}
