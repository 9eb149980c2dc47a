import type { ReactNode } from 'react';

/** A part of the page of an event. */
export type SectionEntry = { id: string; title: string; count?: number; content: ReactNode };
