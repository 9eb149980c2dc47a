'use client';

import { useEffect, useState } from 'react';
import { loadData } from '#ui/navigation/load-data.ts';
import { withQuery } from '../../url-state.ts';
import { NO_PLACES, PALETTE_TEXT_MAX, type PaletteAnswer } from './palette-answer.ts';

/** A pause in typing after which the server is asked. */
const PAUSE_MS = 120;

/** What the server finds for the text. Until it has answered, what it found before without what has this name. */
export function usePaletteAnswer(
  organizationSlug: string,
  text: string,
): { answer: PaletteAnswer | null; isBusy: boolean; hasFailed: boolean } {
  const [answered, setAnswered] = useState<{ asked: string; answer: PaletteAnswer | null } | null>(null);
  const [last, setLast] = useState<PaletteAnswer | null>(null);
  const asked = text.trim().slice(0, PALETTE_TEXT_MAX);

  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      async () => {
        const address = withQuery(`/api/palette/${encodeURIComponent(organizationSlug)}`, { text: asked });
        const answer = await loadData<PaletteAnswer>(address, { signal: abort.signal }).catch(() => null);
        if (abort.signal.aborted) return;
        setAnswered({ asked, answer });
        if (answer) setLast(answer);
      },
      asked === '' ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [organizationSlug, asked]);

  const isCurrent = answered?.asked === asked;
  return {
    answer: isCurrent ? (answered.answer ?? last) : last && { ...last, issues: [], places: NO_PLACES },
    isBusy: !isCurrent,
    hasFailed: isCurrent && answered.answer === null,
  };
}
