'use client';

import { useEffect, useState } from 'react';
import type { AlertPreview } from '#product/alerts/preview/alert-preview.ts';
import { askData } from '#ui/navigation/load-data.ts';
import { DataLoadError } from '#ui/navigation/navigation-errors.ts';
import { type RuleDraft, readDraft } from './rule-draft.ts';
import type { SearchPlace } from './search-field.tsx';

/** A pause in writing after which the past is looked at. */
const PAUSE_MS = 700;

export type PreviewState = {
  /** Of the rule as it was last looked at; null before. */
  preview: AlertPreview | null;
  /** Why the rule as it stands cannot be looked at, in a sentence; null when it can. */
  problem: string | null;
  /** The rule was changed since, and is being looked at. */
  isPending: boolean;
};

/** Looks at what the rule would have done, again whenever it says something else. */
export function usePreview(
  { organizationSlug, projectSlug }: SearchPlace,
  draft: RuleDraft,
): PreviewState & { retry(): void } {
  const [state, setState] = useState<PreviewState>({ preview: null, problem: null, isPending: true });
  const [tries, setTries] = useState(0);
  const asked = questionOf(projectSlug, draft);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks the same again
  useEffect(() => {
    if (asked === null) {
      setState((before) => ({ ...before, problem: 'Complete the rule to see a preview.', isPending: false }));
      return;
    }
    const gone = new AbortController();
    setState((before) => ({ ...before, problem: null, isPending: true }));
    const timer = setTimeout(async () => {
      const found = await ask(`/${organizationSlug}/alerts/preview`, JSON.parse(asked), gone.signal);
      if (gone.signal.aborted) return;
      setState((before) => ({
        preview: found.preview ?? before.preview,
        problem: found.problem,
        isPending: false,
      }));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [organizationSlug, asked, tries]);

  return { ...state, retry: () => setTries((before) => before + 1) };
}

/** What decides the preview; null while something is missing. Whom the rule tells is no part of it. */
function questionOf(projectSlug: string, draft: RuleDraft): string | null {
  const anybody = { kind: 'user', userId: 'anybody' } as const;
  const read = readDraft({ ...draft, name: 'preview', owner: null, receivers: [anybody] });
  if (!read.ok) return null;
  const { environment, definition } = read.input;
  return JSON.stringify({ projectSlug, environment, definition });
}

async function ask(
  url: string,
  question: unknown,
  signal: AbortSignal,
): Promise<{ preview: AlertPreview | null; problem: string | null }> {
  try {
    return { preview: await askData<AlertPreview>(url, question, { signal }), problem: null };
  } catch (error) {
    const detail = error instanceof DataLoadError ? error.detail : null;
    return { preview: null, problem: detail ? `${detail}.` : 'Couldn’t load the preview. Try again.' };
  }
}
