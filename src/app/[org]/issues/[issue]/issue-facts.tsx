import type { Issue } from '#storage/ports/issues.ts';
import { formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/link.tsx';

/** What is known of the issue without its events. */
export function IssueFacts({ issue, issueHref }: { issue: Issue; issueHref: string }) {
  const facts: [string, React.ReactNode][] = [
    ['In total', `${formatExact(issue.timesSeen)} ${issue.timesSeen === 1 ? 'event' : 'events'}`],
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
      <div className="col-span-2 flex flex-wrap gap-x-4 border-t pt-2.5 text-xs">
        <dt className="sr-only">Grouping</dt>
        <dd>
          <Link href={`${issueHref}/grouping`} className={LINK}>
            Why these events are one
          </Link>
        </dd>
        <dd>
          <Link href={`${issueHref}/similar`} className={LINK}>
            Similar issues
          </Link>
        </dd>
      </div>
    </dl>
  );
}

const LINK = 'text-accent underline-offset-2 hover:underline';
