import type { Issue } from '#storage/ports/issues.ts';
import { formatExact } from '#ui/format-number.ts';

/** What is known of the issue without its events. */
export function IssueFacts({ issue }: { issue: Issue }) {
  const facts: [string, React.ReactNode][] = [
    ['In total', `${formatExact(issue.timesSeen)} ${issue.timesSeen === 1 ? 'event' : 'events'}`],
    ['Assigned to', issue.assignee ? <bdi key="who">{issue.assignee.name}</bdi> : 'nobody'],
    ['Platform', issue.platform],
  ];
  if (issue.logger) facts.push(['Logger', <bdi key="logger">{issue.logger}</bdi>]);
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2.5 rounded-lg border bg-surface-raised px-4 py-3 text-sm">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-text-muted text-xs">{label}</dt>
          <dd className="break-anything numbers">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
