import type { ReprocessRun } from '#storage/ports/reprocess.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';

/** What applying uploads to stored events came to, in a sentence. */
export function resultWords({
  state,
  eventsChanged,
  eventsTotal,
  issuesBefore,
  issuesAfter,
}: Pick<ReprocessRun, 'state' | 'eventsChanged' | 'eventsTotal' | 'issuesBefore' | 'issuesAfter'>): string {
  if (state === 'cancelled') return 'Cancelled: no issue was changed.';
  if (eventsChanged === 0) {
    return eventsTotal === 0
      ? 'No stored event had a frame without source.'
      : `None of ${formatPlural(eventsTotal, 'event')} could be taken further: the reasons on their frames say why.`;
  }
  const verb = eventsChanged === 1 ? 'shows' : 'show';
  const shown = `${formatPlural(eventsChanged, 'event')} of ${formatPlural(issuesBefore, 'issue')} now ${verb} source`;
  return issuesBefore === issuesAfter
    ? `${shown}.`
    : `${shown}; ${issuesBefore === 1 ? 'it' : `these ${formatExact(issuesBefore)}`} became ${formatPlural(issuesAfter, 'issue')}.`;
}

/** How far it has come; null while nobody knows how much there is. */
export function progressPercent({
  eventsSeen,
  eventsTotal,
}: Pick<ReprocessRun, 'eventsSeen' | 'eventsTotal'>): number | null {
  return eventsTotal === 0 ? null : Math.min(100, Math.floor((eventsSeen / eventsTotal) * 100));
}
