'use client';

import { Dialog } from '#ui/dialog.tsx';
import { KeyCombination } from '../key-combination.tsx';
import { SHORTCUT_GROUPS, SHORTCUTS, type Shortcut } from '../shortcuts.ts';

const SEARCHES: readonly [string, string][] = [
  ['is:unresolved', 'resolved, archived, new, regressed, escalating, assigned, unassigned'],
  ['level:error', 'fatal, warning, info, debug'],
  ['assigned:me', 'or an e-mail address, or none'],
  ['release:web@2.1.0', 'seen in that release'],
  ['environment:prod', 'seen there'],
  ['!level:info', 'an exclamation mark negates'],
  ['"connection reset"', 'words in title, message or place'],
];

const GROUPS = Object.keys(SHORTCUT_GROUPS) as Shortcut['group'][];

/** Every key and the terms of the search; open from the moment it is rendered. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Keys and search terms">
      {GROUPS.map((group) => (
        <section key={group} aria-label={SHORTCUT_GROUPS[group]} className="mb-5">
          <h3 className="mb-2 font-medium text-sm text-text-muted">{SHORTCUT_GROUPS[group]}</h3>
          <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
            {SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ id, keys, label }) => (
              <div key={id} data-shortcut={id} className="flex items-center gap-2.5">
                <dt className="flex w-16 shrink-0 gap-1">
                  {keys.map((each) => (
                    <KeyCombination key={each} keys={each} />
                  ))}
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <section aria-label="Search terms">
        <h3 className="mb-2 font-medium text-sm text-text-muted">Search terms</h3>
        <dl className="grid gap-y-1.5 text-sm">
          {SEARCHES.map(([text, meaning]) => (
            <div key={text} className="grid items-baseline gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
              <dt className="mono text-xs">{text}</dt>
              <dd className="text-text-muted">{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Dialog>
  );
}
