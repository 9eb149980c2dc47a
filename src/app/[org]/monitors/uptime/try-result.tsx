import type { UptimePhases, UptimeStatus } from '#domain/uptime/check.ts';
import { formatDuration } from '#domain/uptime/format-duration.ts';
import { visibleText } from '#lib/visible-text.ts';
import { formatUtcDay } from '#ui/format-time.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { Notice } from '#ui/notice.tsx';
import { describePhases } from './phases.ts';

export type TriedCheck = {
  status: UptimeStatus;
  /** Empty for a success. */
  detail: string;
  statusCode: number | null;
  durationMs: number;
  /** null without a response. */
  excerpt: string | null;
  certificateExpiresAt: number | null;
  phases: UptimePhases;
};

/** What one check found. */
export function TryResult({ check }: { check: TriedCheck }) {
  const { statusCode, certificateExpiresAt, excerpt } = check;
  const rows = [
    ...(statusCode === null ? [] : [{ name: 'Status code', text: String(statusCode) }]),
    { name: 'Duration', text: formatDuration(check.durationMs) },
    { name: 'Phases', text: describePhases(check.phases) },
    ...(certificateExpiresAt === null
      ? []
      : [{ name: 'Certificate expires', text: formatUtcDay(certificateExpiresAt) }]),
    ...(excerpt ? [{ name: 'Response', text: visibleText(excerpt) }] : []),
  ];
  return (
    <div className="flex flex-col gap-3">
      {check.status === 'success' ? (
        <Notice tone="success" title="The check succeeded" />
      ) : (
        <Notice
          tone="danger"
          title={check.status === 'failure' ? 'The check failed' : 'The result is unknown'}
        >
          <bdi>{visibleText(check.detail)}</bdi>
        </Notice>
      )}
      <KeyValues rows={rows} />
    </div>
  );
}
