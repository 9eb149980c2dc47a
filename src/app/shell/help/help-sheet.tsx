'use client';

import { useState } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { KeyCombination } from '../key-combination.tsx';
import { SHORTCUT_GROUPS, SHORTCUTS, type Shortcut } from '../shortcuts.ts';
import { listAnswered } from '../use-shortcuts.ts';

const SEARCHES: readonly [string, string][] = [
  ['is:unresolved', 'resolved, archived, new, regressed, escalating, assigned, unassigned'],
  ['level:error', 'fatal, warning, info, debug'],
  ['assigned:me', 'or an email address, or none'],
  ['release:web@2.1.0', 'events in this release'],
  ['environment:prod', 'events in this environment'],
  ['user.email:jane@example.com', 'events of this user; also user.id, user.username, user.ip'],
  ['has:user.email', 'at least one event has this field or tag'],
  ['plan:gold', 'a custom tag'],
  ['age:-24h', 'first seen within the last day; +30d: more than 30 days ago'],
  ['firstSeen:>2026-01-31', 'after this date; also lastSeen'],
  ['!level:info', 'use ! to negate a filter'],
  ['"connection reset"', 'text in title, message, or transaction'],
];

const GROUPS = Object.keys(SHORTCUT_GROUPS) as Shortcut['group'][];

/** The keys and the terms of the search; open from the moment it is rendered. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  // As it was when the sheet was opened. Not every page has a search of its own.
  const [answered] = useState(listAnswered);
  const isOffered = ({ id, group }: Shortcut) => group !== 'anywhere' || answered.some((each) => each === id);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Keyboard shortcuts and search">
      {GROUPS.map((group) => (
        <section key={group} aria-label={SHORTCUT_GROUPS[group]} className="mb-5">
          <h3 className="mb-2 font-medium text-sm text-text-muted">{SHORTCUT_GROUPS[group]}</h3>
          <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
            {SHORTCUTS.filter((shortcut) => shortcut.group === group && isOffered(shortcut)).map(
              ({ id, keys, label }) => (
                <div key={id} data-shortcut={id} className="flex items-center gap-2.5">
                  <dt className="flex w-16 shrink-0 gap-1">
                    {keys.map((each) => (
                      <KeyCombination key={each} keys={each} />
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ),
            )}
          </dl>
        </section>
      ))}
      <section aria-label="Search syntax">
        <h3 className="mb-2 font-medium text-sm text-text-muted">Search syntax</h3>
        <dl className="grid gap-y-1.5 text-sm">
          {SEARCHES.map(([text, meaning]) => (
            <div key={text} className="grid items-baseline gap-x-3 sm:grid-cols-[14rem_minmax(0,1fr)]">
              <dt className="mono text-xs">{text}</dt>
              <dd className="text-text-muted">{meaning}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-3 text-sm text-text-muted">
          The search box suggests keys and values as you type. The{' '}
          <TextLink href="/docs/search">guide to search</TextLink> has the full syntax, and the{' '}
          <TextLink href="/docs">documentation</TextLink> everything else.
        </p>
      </section>
    </Dialog>
  );
}
