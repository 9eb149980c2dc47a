import { isHostSign, isWord } from './char-kinds.ts';

const LABEL_CHARS_MAX = 63;

/** The usual top-level domains; a list of all would take every file name with a suffix for a host. */
const TOP_LEVEL_DOMAINS =
  'ae al app ar at au be bg biz br by ca cat cc cf ch cl club cn co com cz de dk edu ee es eu fi fm fr ga gov gq gr hk hr ' +
  'hu id ie il in info io ir is it jobs jp kr kz la link lt lv ly me mobi ms mx my net news ng nl no nz online org pe ph ' +
  'pl pro pt ro rs ru sa se sg si site sk th tips tk to tr tv tw ua ug uk us vn wiki xxx xyz za';

const DOMAINS: ReadonlySet<string> = new Set(
  TOP_LEVEL_DOMAINS.split(' ').flatMap((domain) => [domain, domain.toUpperCase()]),
);
const DOMAIN_CHARS_MAX = 6;

/** Where the host name ends that begins at `start`, or a place that tells where else to look. */
export type HostSearch =
  | { end: number; failedBefore: null }
  /** No host name begins before `failedBefore` either. */
  | { end: null; failedBefore: number };

/** Looks for labels with dots up to the first one that is a top-level domain, wholly in upper or in lower case. */
export function findHostname(text: string, start: number): HostSearch {
  let label = start;
  for (;;) {
    let end = label;
    while (isHostSign(text.charCodeAt(end))) end += 1;
    if (end === label) return { end: null, failedBefore: Math.max(label, start + 1) };
    if (text.charCodeAt(end) !== DOT) return { end: null, failedBefore: end };
    // Only its last signs could be a label.
    if (end - label > LABEL_CHARS_MAX) return { end: null, failedBefore: end - LABEL_CHARS_MAX };
    label = end + 1;
    const domainEnd = domainEndAt(text, label);
    if (domainEnd !== null) return { end: domainEnd, failedBefore: null };
  }
}

const DOT = 0x2e;

function domainEndAt(text: string, start: number): number | null {
  let end = start;
  while (isWord(text.charCodeAt(end))) {
    end += 1;
    if (end - start > DOMAIN_CHARS_MAX) return null;
  }
  return DOMAINS.has(text.slice(start, end)) ? end : null;
}
