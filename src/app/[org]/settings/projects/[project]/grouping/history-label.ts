import type { RegroupPreview } from '#product/grouping/describe-preview.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';

/** How many issues and events rules would change, in sentences. */
export function historyLabel({
  issuesSeen,
  issuesInPeriod,
  issuesAfter,
  issuesChanged,
  eventsChanged,
  mergeCount,
  splitCount,
  titleCount,
}: RegroupPreview): string {
  if (issuesSeen === 0) return 'The last 90 days have no stored events with details to check.';
  const checked =
    issuesSeen < issuesInPeriod
      ? ` Checked ${formatExact(issuesSeen)} of ${formatPlural(issuesInPeriod, 'issue')}: more may change.`
      : '';
  if (issuesChanged === 0) return `None of ${formatPlural(issuesSeen, 'issue')} changes.${checked}`;
  const kinds = [
    mergeCount > 0 && formatPlural(mergeCount, 'merge'),
    splitCount > 0 && formatPlural(splitCount, 'split'),
    titleCount > 0 && formatPlural(titleCount, 'new title'),
  ].filter(Boolean);
  const verb = issuesChanged === 1 ? 'changes' : 'change';
  return `${formatPlural(issuesChanged, 'issue')} with ${formatPlural(eventsChanged, 'event')} ${verb} (${kinds.join(', ')}): ${formatPlural(issuesSeen, 'issue')} → ${formatExact(issuesAfter)}.${checked}`;
}
