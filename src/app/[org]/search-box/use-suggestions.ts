'use client';

import { useEffect, useRef, useState } from 'react';
import type { QueryEntries } from '#app/url-state.ts';
import type { Suggestion, Suggestions } from '#product/search/suggest/suggestions.ts';
import type { SearchSubject } from './search-subject.ts';
import { suggest } from './suggest-action.ts';

/** A pause in typing after which suggestions are asked for. */
const PAUSE_MS = 120;

/** Suggestions for the text at the caret while `isOpen`; the ones of an earlier text are never shown. */
export function useSuggestions({
  organizationSlug,
  filters,
  subject,
  text,
  caret,
  isOpen,
}: {
  organizationSlug: string;
  /** What the page is narrowed to, as in its address. */
  filters: QueryEntries;
  subject: SearchSubject;
  text: string;
  caret: number;
  isOpen: boolean;
}): { suggestions: Suggestions | null; close(): void } {
  const [answer, setAnswer] = useState<{ asked: string; suggestions: Suggestions | null } | null>(null);
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const asked = `${caret}:${text}`;
  const kept = JSON.stringify(Object.entries(filters).filter(([, value]) => value !== null));
  const latest = useRef(asked);
  latest.current = asked;

  useEffect(() => {
    if (!isOpen) return;
    const timer = setTimeout(async () => {
      const suggestions = await suggest({
        organizationSlug,
        subject,
        query: text,
        caret,
        filters: Object.fromEntries(JSON.parse(kept)),
      }).catch(() => null);
      if (latest.current === asked) setAnswer({ asked, suggestions });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isOpen, organizationSlug, subject, kept, text, caret, asked]);

  const isShown = isOpen && answer?.asked === asked && closedAt !== asked;
  const suggestions = isShown && answer.suggestions?.items.length ? answer.suggestions : null;
  return { suggestions, close: () => setClosedAt(asked) };
}

/** The text with a suggestion in it, and where the caret goes. A key goes on with its value, a value ends the term. */
export function applySuggestion(
  text: string,
  { kind, start, end }: Pick<Suggestions, 'kind' | 'start' | 'end'>,
  suggestion: Suggestion,
): { text: string; caret: number } {
  const rest = text.slice(end);
  const ending = kind === 'value' && !/^[\s,\])]/.test(rest) ? ' ' : '';
  // A quote that was typed before the value is part of the suggestion.
  const isQuoted = suggestion.text.startsWith('"') && text.charAt(start - 1) === '"';
  const head = text.slice(0, isQuoted ? start - 1 : start) + suggestion.text + ending;
  return { text: head + rest, caret: head.length };
}
