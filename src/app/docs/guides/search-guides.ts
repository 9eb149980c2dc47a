import { anchorOf, DOCS_PATH } from './guide-links.ts';
import { GUIDES } from './guide-list.ts';
import { type Guide, plainText, readGuide } from './read-guide.ts';

export type FoundSection = {
  href: string;
  guide: string;
  /** The heading; null for what stands above the first one. */
  heading: string | null;
  /** Around the first term. */
  excerpt: string;
};

type Section = { guide: string; title: string; heading: string | null; text: string; words: string };

const QUERY_LENGTH_MAX = 200;
const TERMS_MAX = 8;
export const RESULTS_MAX = 30;
const EXCERPT_LENGTH = 180;

let sections: Promise<readonly Section[]> | null = null;

/** Terms of what was typed, in lower case. */
const termsOf = (query: string): readonly string[] =>
  query.slice(0, QUERY_LENGTH_MAX).toLowerCase().split(/\s+/).filter(Boolean).slice(0, TERMS_MAX);

/** Sections in which every term stands, those with the terms in their heading first. */
export async function searchGuides(query: string): Promise<readonly FoundSection[]> {
  sections ??= readSections().catch((error: unknown) => {
    sections = null;
    throw error;
  });
  return searchSections(await sections, query);
}

export function searchSections(searched: readonly Section[], query: string): readonly FoundSection[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const found = searched
    .filter(({ words }) => terms.every((term) => words.includes(term)))
    .map((section) => ({ section, score: scoreOf(section, terms) }))
    .toSorted((one, other) => other.score - one.score);
  return found.slice(0, RESULTS_MAX).map(({ section }) => ({
    href: `${DOCS_PATH}/${section.guide}${section.heading === null ? '' : `#${anchorOf(section.heading)}`}`,
    guide: section.title,
    heading: section.heading,
    excerpt: excerptOf(section.text, terms),
  }));
}

/** Read when somebody searches first; the guides are half a megabyte. */
async function readSections(): Promise<readonly Section[]> {
  const guides = await Promise.all(GUIDES.map(readGuide));
  return guides.flatMap((guide) => (guide ? sectionsOf(guide) : []));
}

/** Each heading with what stands below it, up to the next heading of any depth. */
export function sectionsOf(guide: Guide): readonly Section[] {
  const parts: { heading: string | null; text: string }[] = [{ heading: null, text: '' }];
  for (const token of guide.tokens) {
    if (token.type === 'heading') parts.push({ heading: plainText(token), text: '' });
    else parts.at(-1)!.text += ` ${plainText(token)}`;
  }
  return parts.map(({ heading, text }) => ({
    guide: guide.name,
    title: guide.title,
    heading,
    text: text.replaceAll(/\s+/g, ' ').trim(),
    words: `${guide.title} ${heading ?? ''} ${text}`.toLowerCase(),
  }));
}

const COUNTED_MAX = 5;

function scoreOf({ title, heading, words }: Section, terms: readonly string[]): number {
  return terms.reduce((score, term) => {
    const inTitle = title.toLowerCase().includes(term) ? 10 : 0;
    // A guide about the term begins with what it is.
    const inHeading = (heading ?? title).toLowerCase().includes(term) ? 8 : 0;
    return score + inTitle + inHeading + Math.min(words.split(term).length - 1, COUNTED_MAX);
  }, 0);
}

function excerptOf(text: string, terms: readonly string[]): string {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - EXCERPT_LENGTH / 3);
  // From the beginning of a word on.
  const start = from === 0 || places.length === 0 ? 0 : text.indexOf(' ', from) + 1;
  const end = start + EXCERPT_LENGTH;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}
