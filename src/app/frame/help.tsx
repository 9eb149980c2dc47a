'use client';

import { CircleHelp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Kbd } from '#ui/kbd.tsx';
import { isTyping } from './is-typing.ts';

const SHORTCUTS: readonly [string, string][] = [
  ['j', 'Next issue'],
  ['k', 'Previous issue'],
  ['Enter', 'Open the issue'],
  ['x', 'Select the issue'],
  ['e', 'Resolve'],
  ['a', 'Archive'],
  ['/', 'Search'],
  ['?', 'This help'],
];

const SEARCHES: readonly [string, string][] = [
  ['is:unresolved', 'resolved, archived, new, regressed, escalating, assigned, unassigned'],
  ['level:error', 'fatal, warning, info, debug'],
  ['assigned:me', 'or an e-mail address, or none'],
  ['release:web@2.1.0', 'seen in that release'],
  ['!level:info', 'an exclamation mark negates'],
  ['"connection reset"', 'words in title, message or place'],
];

/** Keyboard shortcuts and the search language; `?` opens it. */
export function Help() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === '?' && !isTyping(event)) {
        event.preventDefault();
        setIsOpen(true);
      }
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      title="Help"
      trigger={
        <Button variant="ghost" iconOnly aria-label="Help" title="Help (?)">
          <CircleHelp aria-hidden className="size-4" />
        </Button>
      }
    >
      <h3 className="mb-2 font-medium text-sm text-text-muted">Keyboard</h3>
      <dl className="mb-5 grid grid-cols-2 gap-x-6 gap-y-1.5 text-sm">
        {SHORTCUTS.map(([key, meaning]) => (
          <div key={key} className="flex items-center gap-2.5">
            <dt className="w-12 shrink-0">
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mb-2 font-medium text-sm text-text-muted">Search</h3>
      <dl className="grid gap-y-1.5 text-sm">
        {SEARCHES.map(([text, meaning]) => (
          <div key={text} className="grid items-baseline gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="mono text-xs">{text}</dt>
            <dd className="text-text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
