'use client';

import { useEffect, useRef, useState } from 'react';
import type { Suggestion, Suggestions } from '#product/search/suggest/suggest-search.ts';
import { suggest } from './suggest-action.ts';

/** A pause in typing after which suggestions are asked for. */
const PAUSE_MS = 120;

/** Suggestions for the text at the caret while `isOpen`; the ones of an earlier text are never shown. */
export function useSuggestions({
  organizationSlug,
  projectSlugs,
  subject,
  text,
  caret,
  isOpen,
}: {
  organizationSlug: string;
  projectSlugs: readonly string[];
  subject: 'issues' | 'events';
  text: string;
  caret: number;
  isOpen: boolean;
}): { suggestions: Suggestions | null; close(): void } {
  const [answer, setAnswer] = useState<{ asked: string; suggestions: Suggestions | null } | null>(null);
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const asked = `${caret}:${text}`;
  const projects = projectSlugs.join(',');
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
        projectSlugs: projects === '' ? [] : projects.split(','),
      }).catch(() => null);
      if (latest.current === asked) setAnswer({ asked, suggestions });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isOpen, organizationSlug, subject, projects, text, caret, asked]);

  const isShown = isOpen && answer?.asked === asked && closedAt !== asked;
  const suggestions = isShown && answer.suggestions?.items.length ? answer.suggestions : null;
  return { suggestions, close: () => setClosedAt(asked) };
}

/** The text with a suggestion in it, and where the caret goes. A key goes on with its value, a value ends the term. */
export function applySuggestion(
  text: string,
  { start, end }: Pick<Suggestions, 'start' | 'end'>,
  suggestion: Suggestion,
): { text: string; caret: number } {
  const isValue = !suggestion.text.endsWith(':');
  const rest = text.slice(end);
  const ending = isValue && !/^[\s,\])]/.test(rest) ? ' ' : '';
  const before = text.slice(0, start) + suggestion.text + ending;
  // A quote that was typed before the value is part of the suggestion.
  const quoted = suggestion.text.startsWith('"') && text.charAt(start - 1) === '"';
  const head = quoted ? text.slice(0, start - 1) + suggestion.text + ending : before;
  return { text: head + rest, caret: head.length };
}
