'use client';

import { Radio } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import type { RowsPlace } from '../rows/rows-state.ts';
import { LiveTail } from './live-tail.tsx';
import { LogEntry } from './log-entry.tsx';
import type { LogLine } from './log-line.ts';

/** Lines of logs, newest first, until they are followed live. */
export function LogList({
  place,
  lines,
  around,
}: {
  place: RowsPlace;
  lines: readonly LogLine[];
  /** Id of the line that the others are shown around; null for none. */
  around: string | null;
}) {
  const [isLive, setIsLive] = useState(false);
  if (isLive) return <LiveTail place={place} onStop={() => setIsLive(false)} />;
  return (
    <>
      <div className="flex items-center justify-end border-b px-4 py-2">
        <Button size="sm" onClick={() => setIsLive(true)}>
          <Radio aria-hidden className="size-3.5" />
          Live tail
        </Button>
      </div>
      {lines.length === 0 ? (
        <p className="px-4 py-8 text-center text-sm text-text-muted">
          No line matches. SDKs send logs once they are on: set enableLogs.
        </p>
      ) : (
        <ol aria-label="Logs">
          {lines.map((line) => (
            <LogEntry key={line.id} place={place} line={line} isMarked={line.id === around} />
          ))}
        </ol>
      )}
    </>
  );
}
