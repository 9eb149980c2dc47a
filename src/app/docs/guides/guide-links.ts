import { GUIDES } from './guide-list.ts';

/** Where the pages are. */
export const DOCS_PATH = '/docs';

/** The anchor that GitHub gives a heading, which links between guides use. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Where a link in a guide leads here; null for what is in the repository alone. */
export function addressOf(href: string): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name && GUIDES.includes(name) ? `${DOCS_PATH}/${name}${anchor}` : null;
}

/** The picture that a guide shows, as a name in `docs/screens`; null for any other. */
export const screenOf = (href: string): string | null => /^screens\/([\w-]+\.png)$/.exec(href)?.[1] ?? null;
